import FoundationEssentials
import Glibc

/// Files that many tests make by the same method. Each is made once in a run of the tests, and every test gets a copy.
actor MadeFiles {
    static let shared = MadeFiles()

    private static let directory = FileManager.default.temporaryDirectory.path + "/spool-made-\(UUID().uuidString)"

    private var made: [[String]: Task<String, any Error>] = [:]

    /// Makes a file, or copies the one that was made before by the same method.
    /// - Parameters:
    ///   - file: the file's path. An existing file is replaced.
    ///   - method: says how the file is made. Files with the same method are equal.
    ///   - make: makes a file at a path with the same extension.
    func copy(to file: String, madeBy method: [String], _ make: @escaping @Sendable (String) async throws -> Void) async throws {
        let type = file.split(separator: ".").last.map(String.init) ?? ""
        let task =
            made[method + [type]]
            ?? Task { [count = made.count] in
                try MadeFiles.makeDirectory()
                let original = "\(MadeFiles.directory)/\(count).\(type)"
                try await make(original)
                return original
            }
        made[method + [type]] = task
        let original = try await task.value
        try? FileManager.default.removeItem(atPath: file)  // it need not exist
        try FileManager.default.copyItem(atPath: original, toPath: file)
    }

    /// The directory is removed when the process ends.
    private static func makeDirectory() throws {
        guard !FileManager.default.fileExists(atPath: directory) else { return }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: MadeFiles.directory) }  // files left in /tmp do no harm
    }
}
