import ContentHashing
public import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What was found when plug-ins were loaded and tried, kept on disk by the identity of their files: trying all that a machine has takes many
/// seconds. The renderer's own file counts, too: another version may find something else.
public struct PluginFindings: Sendable {
    /// What one file is.
    public enum Finding: Hashable, Sendable, Codable {
        case usable(SourceFacts)
        /// It cannot be called, and why.
        case unusable(String)
    }

    private let directory: String
    private let renderer: String

    /// - Parameters:
    ///   - directory: where findings are kept; made when there is one to keep.
    ///   - renderer: the program that tries the plug-ins.
    public init(directory: String, renderer: String) {
        self.directory = directory
        self.renderer = renderer
    }

    /// What is known of a plug-in's file as it is now, or nil.
    public func finding(ofFile path: String) -> Finding? {
        guard let entry = entry(path), let data = FileManager.default.contents(atPath: entry) else { return nil }
        return try? JSONDecoder().decode(Finding.self, from: data)  // unreadable: tried again
    }

    /// Keeps what is true of the file for as long as it stays the same; what the machine or the moment was to blame for is not kept. Findings
    /// that cannot be written are found again.
    public func remember(_ outcome: Result<JobResult, JobFailure>, ofFile path: String) {
        let finding: Finding
        switch outcome {
        case .success(let result):
            guard let facts = result.facts else { return }
            finding = .usable(facts)
        case .failure(let failure):
            guard [.input, .crash].contains(failure.failureClass) else { return }
            finding = .unusable(failure.message)
        }
        guard let entry = entry(path), let data = try? JSONEncoder().encode(finding) else { return }  // see above
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try? data.write(to: URL(fileURLWithPath: entry), options: .atomic)
    }

    private func entry(_ path: String) -> String? {
        guard let plugin = PluginFindings.identity(path), let program = PluginFindings.identity(renderer) else { return nil }
        return "\(directory)/\(ContentHash.of("\(plugin)\n\(program)".utf8)).json"
    }

    private static func identity(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "\(path)\n\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_ino) \(status.st_dev)"
    }
}
