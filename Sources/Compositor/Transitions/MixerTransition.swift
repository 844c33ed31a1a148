import ExactTime
import ExportPlan
import Media

/// A transition that a mixer draws.
struct MixerTransition {
    private let mixer: TransitionMixer
    private let plugin: CalledPlugin
    private let size: FrameSize

    /// - Throws: `missingPlugin` when this machine does not have exactly that plug-in; `unusablePlugin`.
    init(_ mixer: TransitionMixer, size: FrameSize, _ context: PaintContext) throws(MediaError) {
        self.mixer = mixer
        self.size = size
        plugin = try CalledPlugin(mixer.call, context)
    }

    /// Draws one frame. Two opaque pictures give an opaque one.
    /// - Parameters:
    ///   - from, to: the outgoing and the incoming picture, of the transition's size; nil for a transparent one, which gets
    ///     the colours of the other one, so that a mean of the two has them as well. One of the two is a picture.
    ///   - time: the timeline time, by which the mixer's own time is found.
    ///   - log: records that the plug-in draws the picture.
    func drawn(
        from: RasterPicture?, to: RasterPicture?, _ progress: TransitionProgress, at time: MediaTime, _ log: DecisionLog?
    ) throws(MediaError) -> RasterPicture {
        guard let first = from ?? to?.transparent, let second = to ?? from?.transparent else {
            throw MediaError(.internalFailure, subject: plugin.name, message: "got no picture")
        }
        log?.note(.plugin(name: plugin.name, size: size))
        let part = Double(progress.step) / Double(progress.count)
        return try plugin.draw(
            [first, second], size: size, at: time,
            setting: [mixer.progress: mixer.first + (mixer.last - mixer.first) * part],
            isOpaque: first.alpha == nil && second.alpha == nil)
    }
}

extension RasterPicture {
    /// The same colours, all of them invisible.
    fileprivate var transparent: RasterPicture {
        RasterPicture(frame: frame, alpha: AlphaPlanes(covering: 0, frame.size))
    }
}
