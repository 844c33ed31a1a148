import ExportPlan
import Media
import Plugins
import Vocabulary

/// The paths of the libraries of the plug-ins that filter a job's sounds, by content hash.
/// - Throws: `MediaError` `missingPlugin` when this machine does not have exactly these plug-ins; `unusablePlugin`.
func soundLibraries(of plugins: [SoundPlugin]) throws(MediaError) -> [String: String] {
    var paths: [String: String] = [:]
    for plugin in plugins where paths[plugin.contentHash] == nil {
        do throws(PluginError) {
            paths[plugin.contentHash] = try InstalledPlugins().libraryPath(of: plugin)
        } catch {
            throw MediaError(
                error.failureClass == .environment ? .missingPlugin : .unusablePlugin, subject: error.subject,
                message: error.message)
        }
    }
    return paths
}

/// Loads a plug-in that filters sounds, tries it and returns its facts.
/// - Throws: `PluginError` `unusable` also for one that filters the same sound differently each time: segments are made on any
///   machine and may be made again.
func soundPluginFacts(_ name: SoundPluginName) throws(PluginError) -> SourceFacts {
    let installed = InstalledPlugins()
    let facts = try installed.facts(ofSoundPlugin: name)
    guard let declared = facts.plugin, let channels = declared.channels else { return facts }
    let plugin = SoundPlugin(name: name.text, contentHash: facts.contentHash, channels: channels)
    let libraries = [facts.contentHash: try installed.libraryPath(of: plugin)]
    let kind: AudioFilterKind = if case .ladspa = name { .ladspa } else { .lv2 }
    let filter = SoundFilter(kind: kind, parameters: declared.triedValues, plugin: plugin)
    do throws(MediaError) {
        let first = try filtered(filter, libraries)
        guard try filtered(filter, libraries) == first else {
            throw MediaError(
                .unusablePlugin, subject: name.text,
                message: "filters the same sound differently every time; no film could be rendered twice")
        }
    } catch {
        throw PluginError(.unusable, subject: name.text, message: error.message)
    }
    return facts
}

/// Two seconds of noise, which is always the same, through a new instance of a plug-in.
private func filtered(_ filter: SoundFilter, _ libraries: [String: String]) throws(MediaError) -> [Float] {
    let chain = try SoundFilterChain([filter], sampleRate: 44_100, channels: 2, libraries: libraries)
    var state: UInt32 = 1
    let noise = (0..<(4 * 44_100)).map { _ -> Float in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(state >> 8) / Float(1 << 24) - 0.5
    }
    var result: [Float] = []
    try noise.withUnsafeBufferPointer { samples throws(MediaError) in try chain.process(samples, into: &result) }
    return result
}

extension PluginFacts {
    /// Values for the controls that have no default: 0, or the bound that is nearest to it.
    fileprivate var triedValues: [String: Double] {
        var values: [String: Double] = [:]
        for parameter in parameters where parameter.default == nil {
            values[parameter.name] = max(parameter.minimum, min(parameter.maximum, 0))
        }
        return values
    }
}
