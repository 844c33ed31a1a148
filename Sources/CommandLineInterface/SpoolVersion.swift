/// The version of the programs (SemVer). `CHANGELOG.md` says what it has.
package enum SpoolVersion {
    package static let text = "0.1.0"
}
