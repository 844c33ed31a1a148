import CCommit

/// The version of the programs (SemVer). `CHANGELOG.md` says what it has.
package enum SpoolVersion {
    package static let text = "0.1.0"
    /// The commit that the programs were built from, with `-dirty` where files differed from it; empty where it is unknown.
    package static var commit: String { String(cString: spool_commit()) }
}
