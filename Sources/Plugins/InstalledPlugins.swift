import ExactTime
package import ExportPlan
package import Operations
import Vocabulary

/// The plug-ins of this machine: their declared facts, for the probe, and plug-ins that are ready to run, for the
/// compositor.
///
/// Both load the plug-in into this process, which therefore always has to be a rendering process: a plug-in that
/// crashes ends the process, and only that job fails.
package struct InstalledPlugins: Sendable {
    let directories: PluginDirectories

    package init(_ directories: PluginDirectories = .current) {
        self.directories = directories
    }

    /// Loads the plug-in that a draft calls, checks that its output is reproducible, and returns its facts.
    /// - Throws: `PluginError`. If there is no plug-in of the name, the message says which ones there are.
    package func facts(ofPlugin name: String) throws(PluginError) -> SourceFacts {
        let files = directories.files
        guard let file = files.first(where: { $0.name == name }) else {
            throw PluginError(.unknownPlugin, subject: name, message: InstalledPlugins.unknown(name, files.map(\.name)))
        }
        let library = try PluginLibrary.load(file)
        let (container, facts) = try InstalledPlugins.declared(library)
        try ReproducibilityCheck(plugin: library.plugin, facts: facts).run()
        return SourceFacts(
            contentHash: library.contentHash, byteCount: library.byteCount, container: container, origin: .zero, video: nil,
            audio: nil, plugin: facts)
    }

    /// Loads the plug-in that a plan names.
    /// - Throws: `PluginError` `missingVersion` if this machine has no file with exactly this content.
    package func plugin(_ facts: SourceFacts) throws(PluginError) -> any RunnablePlugin {
        let name = facts.plugin?.name ?? ""
        let files = directories.allFiles.filter { $0.name == name }
        for file in files where try PluginLibrary.contentHash(of: file) == facts.contentHash {
            let library = try PluginLibrary.load(file)
            // The file may have been replaced since its hash was computed.
            if library.contentHash == facts.contentHash { return library.plugin }
        }
        let here =
            files.isEmpty ? "none is installed here" : "here is another version, \(files.map(\.path).joined(separator: ", "))"
        throw PluginError(
            .missingVersion, subject: name,
            message:
                "is a plug-in with sha256 \(facts.contentHash), but \(here); install the same on all machines, or render again")
    }

    private static func declared(_ library: PluginLibrary) throws(PluginError) -> (String, PluginFacts) {
        switch library.interface {
        case .frei0r(let plugin): ("frei0r", try plugin.facts())
        case .own(let plugin): ("spool-plugin", plugin.facts)
        }
    }

    private static func unknown(_ name: String, _ names: [String]) -> String {
        if names.isEmpty { return "is not installed: there are no plug-ins here; see 'spool doctor' for their directories" }
        if let nearest = nearestName(to: name, among: names) {
            return "is not an installed plug-in; did you mean '\(nearest)'? 'spool plugins' lists all \(names.count)"
        }
        return "is not an installed plug-in; there are \(names.joined(separator: ", "))"
    }
}

extension PluginLibrary {
    fileprivate var plugin: any OpenablePlugin {
        switch interface {
        case .frei0r(let plugin): plugin
        case .own(let plugin): plugin
        }
    }
}
