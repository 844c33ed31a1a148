#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A directory of its own for a test, removed with everything in it when the test lets go of it.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        path = FileManager.default.temporaryDirectory.path + "/spool-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // what is left in /tmp harms nobody
    }

    /// The path of a file inside.
    public func file(_ name: String) -> String { "\(path)/\(name)" }
}
