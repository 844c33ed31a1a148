import ArgumentParser
import ExportPlan
import RenderMessages
import RenderingProcesses
import TerminalText

/// `spool plugins`: which plug-ins drafts can call on this machine, and with which parameters. Each is loaded and tried by a
/// rendering process; one that crashes spoils only its own line.
struct PluginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "List the plug-ins on this machine, with their parameters.",
        discussion: "They lie in the directories of SPOOL_PLUGIN_PATH, and where frei0r's effects do (FREI0R_PATH).")

    @Argument(help: "Only this plug-in.")
    var name: String?

    @OptionGroup var work: WorkOptions

    @Flag(help: "Print everything as JSON.")
    var json = false

    func run() async throws {
        let found = try await Renderer.plugins()
        let files = found.files.filter { name == nil || $0.name == name }
        guard name == nil || !files.isEmpty else {
            throw ValidationError("there is no plug-in '\(name ?? "")'; 'spool plugins' lists them")
        }
        let entries = try await findings(of: files).map { Entry($0, $1) }
        if json { return try Terminal.printJSON(entries) }
        if files.isEmpty { Terminal.print("none in \(found.directories.joined(separator: ", "))") }
        Terminal.print(lines: entries.flatMap(\.lines))
        let unusable = entries.filter { $0.fault != nil }
        if !unusable.isEmpty { Terminal.print(lines: ["", "Not usable:"]) }
        for entry in unusable { Terminal.print("  \(entry.name): \(entry.fault ?? "")") }
    }

    /// Tries the files that are not known yet, as many at once as there are processes.
    private func findings(of files: [FoundPlugins.File]) async throws -> [(FoundPlugins.File, PluginFindings.Finding)] {
        let kept = PluginFindings(directory: work.cacheDirectory + "/plugins", renderer: try Renderer.executable())
        var known = files.map { kept.finding(ofFile: $0.path) }
        let unknown = files.indices.filter { known[$0] == nil }
        let isInteractive = Terminal.isInteractive
        if unknown.count >= 10, !isInteractive {
            Terminal.error("trying \(unknown.count) plug-ins; their findings are kept in '\(work.cacheDirectory)/plugins'")
        }
        // Some tell everybody what they miss; why one cannot be called stands in its fault.
        let outcomes = try await work.pool().runEach(
            unknown.map { JobGraph.Node(.probe(path: PluginLocation.location(of: files[$0].name))) }, isQuiet: true
        ) { count in
            guard isInteractive else { return }
            Terminal.show(
                ProgressLine(
                    fraction: Double(count) / Double(unknown.count),
                    parts: [.init("trying plug-ins", importance: 1), .init("\(count)/\(unknown.count)", importance: 2)]))
        }
        if isInteractive, !unknown.isEmpty { Terminal.clearProgress() }
        for (index, outcome) in zip(unknown, outcomes) {
            kept.remember(outcome, ofFile: files[index].path)
            switch outcome {
            case .success(let result): known[index] = result.facts.map { .usable($0) }
            case .failure(let failure): known[index] = .unusable(failure.message)
            }
        }
        return zip(files, known).compactMap { file, finding in finding.map { (file, $0) } }
    }

    private struct Entry: Encodable {
        var name: String
        var file: String
        /// `frei0r` or `spool-plugin`.
        var interface: String?
        var contentHash: String?
        var plugin: PluginFacts?
        /// Why it cannot be called.
        var fault: String?

        init(_ file: FoundPlugins.File, _ finding: PluginFindings.Finding) {
            name = file.name
            self.file = file.path
            switch finding {
            case .usable(let facts):
                interface = facts.container
                contentHash = facts.contentHash
                plugin = facts.plugin
            case .unusable(let reason): fault = reason
            }
        }

        /// Nothing for one that cannot be called.
        var lines: [String] {
            guard let plugin else { return [] }
            let about = plugin.explanation.isEmpty ? plugin.title : plugin.explanation
            let parameters = plugin.parameters.map { parameter in
                let range = parameter.kind == .number ? ", \(parameter.minimum) to \(parameter.maximum)" : ""
                let meaning = parameter.explanation.isEmpty ? "" : ": \(parameter.explanation)"
                return "    \(parameter.name) (\(parameter.kind.rawValue)) = \(parameter.default?.text ?? "-")\(range)\(meaning)"
            }
            return ["\(name): \(about)"] + parameters
        }
    }
}

extension PluginValue {
    fileprivate var text: String {
        switch self {
        case .number(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .position(let x, let y): "\(x), \(y)"
        case .text(let text): "'\(text)'"
        case .color(let color):
            "#" + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
