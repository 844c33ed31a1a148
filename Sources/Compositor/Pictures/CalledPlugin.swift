import ExactTime
import ExportPlan
import Media
import Operations

/// A generator or a mixer that an instruction calls, loaded and ready to draw.
struct CalledPlugin {
    let name: String
    private let call: Operation
    private let plugin: any RunnablePlugin
    private let drawnColors: PrimariesMap?

    /// - Throws: `missingPlugin` when this machine does not have exactly that plug-in; `unusablePlugin`.
    init(_ call: Operation, _ context: PaintContext) throws(MediaError) {
        drawnColors = context.drawnColors
        name = call.plugin?.name ?? ""
        self.call = call
        guard let hash = call.source, let plugin = try context.readers.plugins(of: [call])[hash] else {
            throw MediaError(.internalFailure, subject: name, message: "is a plug-in that the job does not have")
        }
        self.plugin = plugin
    }

    /// Draws a picture. A generator's colours are those of sRGB, and a mixer works on the film's code values, as filters
    /// do.
    /// - Parameters:
    ///   - inputs: the pictures that it is made of, of one size: none for a generator, two for a mixer.
    ///   - time: the time of the call's keyframes.
    ///   - ownTime: the time that the plug-in is given; nil for the call's own.
    ///   - numbers: further values, by parameter name.
    ///   - isOpaque: whether the picture is opaque whatever alpha the plug-in returns.
    func draw(
        _ inputs: [RasterPicture] = [], size: FrameSize, at time: MediaTime, ownTime: MediaTime? = nil,
        setting numbers: [String: Double] = [:], isOpaque: Bool = false
    ) throws(MediaError) -> RasterPicture {
        let stage: PluginStage
        do throws(OperationError) {
            stage = try call.prepare(plugin, at: time, ownTime: ownTime, size: size, setting: numbers)
        } catch {
            throw MediaError(.outOfMemory, subject: name, message: "'\(error.subject)' \(error.message)")
        }
        var pixels = stage(inputs.map { $0.pluginPixels() })
        if inputs.isEmpty { drawnColors?.map(&pixels) }
        return try RasterPicture(pluginPixels: pixels, size, isOpaque: isOpaque)
    }
}
