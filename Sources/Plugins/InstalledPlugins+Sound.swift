import ExactTime
package import ExportPlan
import Vocabulary

/// Plug-ins that filter sounds. libavfilter runs them; here they are found, and their declarations are read.
extension InstalledPlugins {
    /// The declaration of a plug-in that filters sounds.
    /// - Throws: `PluginError`. If there is no plug-in of the name, the message says which one may be meant.
    package func facts(ofSoundPlugin name: SoundPluginName) throws(PluginError) -> SourceFacts {
        switch name {
        case .ladspa(let file, let label):
            let libraries = directories.ladspaLibraries
            guard let found = libraries.first(where: { $0.name == file }) else {
                throw unknown(
                    name, file, among: libraries.map(\.name), "there is no LADSPA library '\(file)' here",
                    in: directories.ladspaPaths.joined(separator: ", "))
            }
            let library = try LadspaLibrary.load(found)
            guard let plugin = library.plugins.first(where: { $0.label == label }) else {
                let labels = library.plugins.map(\.label)
                throw unknown(name, label, among: labels, "the LADSPA library '\(file)' has no plug-in '\(label)'", in: nil)
            }
            return sourceFacts(try plugin.facts.get(), library.contentHash, library.byteCount, "ladspa")
        case .lv2(let uri):
            let world = try LV2World()
            guard let plugin = world.plugin(uri) else {
                throw unknown(
                    name, uri, among: world.names.map(\.uri), "there is no LV2 plug-in '\(uri)' here",
                    in: directories.lv2Paths.joined(separator: ", "))
            }
            let (hash, count) = try LV2World.contentHash(of: plugin)
            return sourceFacts(try plugin.facts.get(), hash, count, "lv2")
        }
    }

    /// Finds the plug-in that a plan names, and returns the path of its library as libavfilter needs it; empty for LV2, whose
    /// host finds its plug-ins by their URIs.
    /// - Throws: `PluginError` `missingVersion` if this machine does not have exactly this plug-in.
    package func libraryPath(of plugin: SoundPlugin) throws(PluginError) -> String {
        guard let name = SoundPluginName(plugin.name) else {
            throw PluginError(.unusable, subject: plugin.name, message: "is no plug-in that filters sounds")
        }
        switch name {
        case .ladspa(let file, _):
            let files = directories.allLadspaLibraries.filter { $0.name == file }
            for found in files where try PluginLibrary.contentHash(of: found) == plugin.contentHash {
                let library = try LadspaLibrary.load(found)
                // The file may have been replaced since its hash was computed.
                if library.contentHash == plugin.contentHash { return library.path }
            }
            throw missing(plugin, files.map(\.path))
        case .lv2(let uri):
            guard let found = try LV2World().plugin(uri) else { throw missing(plugin, []) }
            guard try LV2World.contentHash(of: found).hash == plugin.contentHash else { throw missing(plugin, [found.bundle]) }
            return ""
        }
    }

    /// The names of the plug-ins in a LADSPA library, which is loaded for that.
    /// - Throws: `PluginError` `unknownPlugin`, `cannotLoad`, `unusable`.
    package func names(inLadspaLibrary file: String) throws(PluginError) -> [String] {
        guard let found = directories.ladspaLibraries.first(where: { $0.name == file }) else {
            throw PluginError(.unknownPlugin, subject: file, message: "is no LADSPA library of this machine")
        }
        return try LadspaLibrary.load(found).plugins.map { SoundPluginName.ladspa(file: file, label: $0.label).text }
    }

    /// The LV2 plug-ins of this machine, with their libraries.
    /// - Throws: `PluginError` `cannotLoad`.
    package func lv2Files() throws(PluginError) -> [FoundPlugins.File] {
        try LV2World().names.map { FoundPlugins.File(name: SoundPluginName.lv2(uri: $0.uri).text, path: $0.library) }
    }

    private func sourceFacts(_ plugin: PluginFacts, _ hash: String, _ byteCount: Int, _ container: String) -> SourceFacts {
        SourceFacts(
            contentHash: hash, byteCount: byteCount, container: container, origin: .zero, video: nil, audio: nil, plugin: plugin)
    }

    /// - Parameter others: the paths of other versions of it.
    private func missing(_ plugin: SoundPlugin, _ others: [String]) -> PluginError {
        let here =
            others.isEmpty ? "none is installed here" : "here is another version, \(others.joined(separator: ", "))"
        return PluginError(
            .missingVersion, subject: plugin.name,
            message:
                "is a plug-in with sha256 \(plugin.contentHash), but \(here); install the same on all machines, or render again")
    }

    /// - Parameter places: where it was looked for.
    private func unknown(
        _ name: SoundPluginName, _ given: String, among known: [String], _ reason: String, in places: String?
    ) -> PluginError {
        let hint =
            nearestName(to: given, among: known).map { "did you mean '\($0)'?" }
            ?? (known.isEmpty
                ? "there are none in \(places ?? "it")"
                : known.count <= 20 ? "there are \(known.joined(separator: ", "))" : "'spool plugins' lists all \(known.count)")
        return PluginError(.unknownPlugin, subject: name.text, message: "is not an installed plug-in: \(reason); \(hint)")
    }
}
