import ArgumentParser
import ExportPlan
import RenderMessages
import RenderingProcesses

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
        // Some tell everybody what they miss; why one cannot be called stands in its fault.
        let outcomes = try await work.pool().runEach(
            files.map { JobGraph.Node(.probe(path: PluginLocation.location(of: $0.name))) }, isQuiet: true)
        let entries = zip(files, outcomes).map { file, outcome in Entry(file, outcome) }
        if json { return try Terminal.printJSON(entries) }
        if files.isEmpty { print("none in \(found.directories.joined(separator: ", "))") }
        entries.compactMap(\.text).forEach { print($0) }
        let unusable = entries.filter { $0.fault != nil }
        if !unusable.isEmpty { print("\nNot usable:") }
        for entry in unusable { print("  \(entry.name): \(entry.fault ?? "")") }
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

        init(_ file: FoundPlugins.File, _ outcome: Result<JobResult, JobFailure>) {
            name = file.name
            self.file = file.path
            switch outcome {
            case .success(let result):
                interface = result.facts?.container
                contentHash = result.facts?.contentHash
                plugin = result.facts?.plugin
            case .failure(let failure): fault = failure.message
            }
        }

        var text: String? {
            guard let plugin else { return nil }
            let about = plugin.explanation.isEmpty ? plugin.title : plugin.explanation
            let parameters = plugin.parameters.map { parameter in
                let range = parameter.kind == .number ? ", \(parameter.minimum) to \(parameter.maximum)" : ""
                let meaning = parameter.explanation.isEmpty ? "" : ": \(parameter.explanation)"
                return "    \(parameter.name) (\(parameter.kind.rawValue)) = \(parameter.default?.text ?? "-")\(range)\(meaning)"
            }
            return (["\(name): \(about)"] + parameters).joined(separator: "\n")
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
