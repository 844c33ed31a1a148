import ExportPlan
import Operations

/// A plug-in that is ready for pictures of one size with fixed values. It draws the picture of a time in seconds from
/// as many pictures as its kind takes.
typealias OpenedPlugin = (_ inputs: [[UInt8]], _ time: Double) -> [UInt8]

/// What plug-ins of both interfaces can do. A chain opens a plug-in for each frame; the steadiness check draws several
/// frames with one opened plug-in.
protocol OpenablePlugin: RunnablePlugin {
    /// - Throws: `pluginRefused`.
    func open(_ values: [String: PluginValue], size: FrameSize) throws(OperationError) -> OpenedPlugin
}

extension OpenablePlugin {
    func prepare(_ values: [String: PluginValue], size: FrameSize, time: Double) throws(OperationError) -> PluginStage {
        let opened = try open(values, size: size)
        return { opened($0, time) }
    }
}
