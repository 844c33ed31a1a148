import FoundationEssentials

/// Real files of cameras, phones and editors. They are too large, and their licences too different, to be part of the
/// project, so they are in a directory beside it or at `SPOOL_MEDIA`.
package enum SharedMedia {
    /// The reason for skipping tests if the directory is absent.
    package static let absence = "no shared media: set SPOOL_MEDIA to their directory"

    /// The directory, or nil if it is absent.
    package static let directory: String? = {
        let candidate = ProcessInfo.processInfo.environment["SPOOL_MEDIA"] ?? besideThePackage
        return FileManager.default.fileExists(atPath: candidate + "/av") ? candidate : nil
    }()

    package static var isPresent: Bool { directory != nil }

    /// The path of a file, given relative to the directory (`av/...`, `image/...`).
    package static func file(_ name: String) -> String { "\(directory ?? "")/\(name)" }

    /// `../shared/media`, seen from the package's root.
    private static var besideThePackage: String {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path + "/shared/media"
    }
}
