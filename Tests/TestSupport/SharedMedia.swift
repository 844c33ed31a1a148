#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Real files of cameras, phones and editors, which are too large and too various in licence to live in the project:
/// a directory beside it, or wherever `SPOOL_MEDIA` says.
public enum SharedMedia {
    /// Why tests are skipped where the directory is absent.
    public static let absence = "no shared media: set SPOOL_MEDIA to their directory"

    /// The directory, or nil where there is none.
    public static let directory: String? = {
        let candidate = ProcessInfo.processInfo.environment["SPOOL_MEDIA"] ?? besideThePackage
        return FileManager.default.fileExists(atPath: candidate + "/av") ? candidate : nil
    }()

    public static var isPresent: Bool { directory != nil }

    /// The path of a file, given relative to the directory (`av/...`, `image/...`).
    public static func file(_ name: String) -> String { "\(directory ?? "")/\(name)" }

    /// `../shared/media`, seen from the package's root.
    private static var besideThePackage: String {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path + "/shared/media"
    }
}
