import FoundationEssentials

/// A temporary directory for one test, which is removed with its contents when the object is released.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/spool-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // files left behind in /tmp do no harm
    }

    /// The path of a file inside.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}
