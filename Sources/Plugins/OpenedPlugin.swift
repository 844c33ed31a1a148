import ExportPlan
import Operations

/// A plug-in made ready for pictures of one size with these values; draws the picture of an instant in seconds.
typealias OpenedPlugin = (_ pixels: [UInt8], _ time: Double) -> [UInt8]

/// What both interfaces can do: a chain opens a plug-in for each frame, the check draws several frames with one that is open.
protocol OpenablePlugin: PluginFilter {
    /// - Throws: `pluginRefused`.
    func open(_ values: [String: PluginValue], size: FrameSize) throws(OperationError) -> OpenedPlugin
}

extension OpenablePlugin {
    func prepare(_ values: [String: PluginValue], size: FrameSize, time: Double) throws(OperationError) -> PluginStage {
        let opened = try open(values, size: size)
        return { opened($0, time) }
    }
}
