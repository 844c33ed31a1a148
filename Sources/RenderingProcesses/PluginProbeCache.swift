import ContentHashing
package import ExportPlan
import FoundationEssentials
import Glibc

/// Probe results of plug-ins on disk, by their names and the identity of their files, because probing all plug-ins of a machine takes
/// many seconds. The identity of the renderer's own file is included, because another version may have other results.
package struct PluginProbeCache: Sendable {
    /// The probe result of one file.
    package enum ProbeResult: Hashable, Sendable, Codable {
        case usable(SourceFacts)
        /// The plug-in cannot be used, for the given reason.
        case unusable(String)
    }

    private let directory: String
    private let renderer: String

    /// - Parameters:
    ///   - directory: the directory of the results, created when the first one is stored.
    ///   - renderer: the path of the program that probes the plug-ins.
    package init(directory: String, renderer: String) {
        self.directory = directory
        self.renderer = renderer
    }

    /// The probe result of a plug-in's file in its present state, or nil.
    package func probeResult(of plugin: FoundPlugins.File) -> ProbeResult? {
        guard let entry = entry(plugin), let data = FileManager.default.contents(atPath: entry) else { return nil }
        return try? JSONDecoder().decode(ProbeResult.self, from: data)  // unreadable: probed again
    }

    /// Stores a result that holds as long as the file stays the same. Failures that are due to the machine or to the
    /// moment are not stored. Where a result cannot be written, the plug-in is probed again next time.
    package func remember(_ outcome: Result<JobResult, JobFailure>, of plugin: FoundPlugins.File) {
        let result: ProbeResult
        switch outcome {
        case .success(let success):
            guard let facts = success.facts else { return }
            result = .usable(facts)
        case .failure(let failure):
            guard [.input, .crash].contains(failure.failureClass) else { return }
            result = .unusable(failure.message)
        }
        guard let entry = entry(plugin), let data = try? JSONEncoder().encode(result) else { return }  // see above
        try? FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try? data.write(to: URL(fileURLWithPath: entry), options: .atomic)
    }

    private func entry(_ plugin: FoundPlugins.File) -> String? {
        guard let file = PluginProbeCache.identity(plugin.path), let program = PluginProbeCache.identity(renderer) else {
            return nil
        }
        return "\(directory)/\(ContentHash.of("\(plugin.name)\n\(file)\n\(program)".utf8)).json"
    }

    private static func identity(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return "\(path)\n\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec) \(status.st_ino) \(status.st_dev)"
    }
}
