import ExactTime
import ExportPlan
import Operations
import Plugins

extension PluginPicture {
    /// The picture that a generator draws, or that a mixer makes of two pictures.
    static func drawn(
        _ facts: SourceFacts, in directories: PluginDirectories, of inputs: [PluginPicture] = [], size: FrameSize,
        _ values: [String: PluginValue] = [:], at time: Double = 0
    ) throws -> PluginPicture {
        let plugin = try InstalledPlugins(directories).plugin(facts)
        let stage = try plugin.prepare(values, size: size, time: time)
        return PluginPicture(size: size, bytes: stage(inputs.map(\.bytes)))
    }
}

extension PluginDirectories {
    /// The machine's own directories if they have the effect of frei0r; otherwise nil, and the test is skipped.
    static func having(_ name: String) -> PluginDirectories? {
        let directories = PluginDirectories(environment: [:])
        if directories.files.contains(where: { $0.name == name }) { return directories }
        print("skipped: there is no frei0r effect '\(name)' here; install frei0r-plugins")
        return nil
    }
}
