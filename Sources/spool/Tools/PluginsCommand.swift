import ArgumentParser
import CommandLineInterface
import ExportPlan
import RenderingProcesses
import Vocabulary

/// `spool plugins`: lists the plug-ins that drafts can use on this machine, with their parameters. A rendering process
/// loads and tries each file, so a plug-in that crashes affects only its own line.
struct PluginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "List the plug-ins on this machine, with their parameters.",
        discussion:
            "They are looked up in the directories of SPOOL_PLUGIN_PATH, and in those of frei0r's effects (FREI0R_PATH), of "
            + "LADSPA (LADSPA_PATH) and of LV2 (LV2_PATH).")

    @Argument(help: "Only this plug-in.")
    var name: String?

    @OptionGroup var work: WorkOptions

    @Flag(help: "Print everything as JSON.")
    var json = false

    func run() async throws {
        let found = try await Renderer.plugins()
        let files = (found.files + (await Renderer.ladspaPlugins(of: found, named: name))).filter {
            name == nil || $0.name == name
        }
        guard name == nil || !files.isEmpty else {
            throw ValidationError("there is no plug-in '\(name ?? "")'; 'spool plugins' lists them")
        }
        let entries = try await probeResults(of: files).map { Entry($0, $1) }
        if json { return try Terminal.printJSON(entries) }
        if files.isEmpty { Terminal.print("none in \(found.directories.joined(separator: ", "))") }
        Terminal.print(lines: entries.flatMap(\.lines))
        let unusable = entries.filter { $0.fault != nil }
        if !unusable.isEmpty { Terminal.print(lines: ["", "Not usable:"]) }
        for entry in unusable { Terminal.print("  \(entry.name): \(entry.fault ?? "")") }
    }

    /// Probes the files without a stored result, as many at once as there are processes.
    private func probeResults(of files: [FoundPlugins.File]) async throws -> [(FoundPlugins.File, PluginProbeCache.ProbeResult)] {
        let pool = try work.pool()
        let kept = PluginProbeCache(directory: work.cacheDirectory + "/plugins", renderer: try Renderer.executable())
        var known = files.map { kept.probeResult(of: $0) }
        let unknown = files.indices.filter { known[$0] == nil }
        let isInteractive = Terminal.isInteractive
        if unknown.count >= 10, !isInteractive {
            Terminal.error("trying \(unknown.count) plug-ins; the results are kept in '\(work.cacheDirectory)/plugins'")
        }
        // Some plug-ins print what they lack, so their output is hidden; the reason why a plug-in cannot be used is in
        // its `fault`.
        let outcomes = try await pool.runEach(
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
            kept.remember(outcome, of: files[index])
            switch outcome {
            case .success(let result): known[index] = result.facts.map { .usable($0) }
            case .failure(let failure): known[index] = .unusable(failure.message)
            }
        }
        return zip(files, known).compactMap { file, result in result.map { (file, $0) } }
    }

    private struct Entry: Encodable {
        var name: String
        var file: String
        /// The interface: `frei0r`, `spool-plugin`, `ladspa` or `lv2`.
        var interface: String?
        var contentHash: String?
        /// `filter`, `generator`, `mixer` or `soundFilter`.
        var kind: String?
        var plugin: PluginFacts?
        /// Why the plug-in cannot be used.
        var fault: String?

        init(_ file: FoundPlugins.File, _ result: PluginProbeCache.ProbeResult) {
            name = file.name
            self.file = file.path
            switch result {
            case .usable(let facts):
                interface = facts.container
                contentHash = facts.contentHash
                kind = facts.plugin.map { $0.channels == nil ? ($0.kind ?? .filter).rawValue : "soundFilter" }
                plugin = facts.plugin
            case .unusable(let reason): fault = reason
            }
        }

        /// The lines about the plug-in; none when it cannot be used.
        var lines: [String] {
            guard let plugin else { return [] }
            let about = plugin.explanation.isEmpty ? plugin.title : plugin.explanation
            let parameters = plugin.parameters.map { parameter in
                let range = parameter.kind == .number ? parameter.rangeText : ""
                let meaning = parameter.explanation.isEmpty ? "" : ": \(parameter.explanation)"
                return "    \(parameter.name) (\(parameter.kind.rawValue)) = \(parameter.default?.text ?? "-")\(range)\(meaning)"
            }
            let kind = plugin.channels == nil ? (plugin.kind ?? .filter).rawValue : "sound filter"
            return ["\(name) (\(kind)): \(about)"] + parameters
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

extension PluginFacts.Parameter {
    /// The range of a number behind its default; empty where it has no bounds.
    fileprivate var rangeText: String {
        let unlimited = Double(Float.greatestFiniteMagnitude)
        if minimum <= -unlimited { return maximum >= unlimited ? "" : ", \(maximum) at most" }
        return maximum >= unlimited ? ", \(minimum) at least" : ", \(minimum) to \(maximum)"
    }
}
