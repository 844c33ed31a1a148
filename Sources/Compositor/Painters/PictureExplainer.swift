package import ExactTime
package import ExportPlan
package import Media

/// Explains how `Compositor` makes the pictures of one instruction.
///
/// New painters draw each frame and record their decisions, so nothing that was kept from earlier frames hides how it was
/// made. They share the open sources.
package struct PictureExplainer {
    private let instruction: Instruction
    private let format: VideoFrame.Format?
    private let transparentFormat: VideoFrame.Format?
    private let context: PaintContext

    /// The parameters are those of `Compositor`.
    package init(
        _ instruction: Instruction, canvas: FrameSize, frameRate: FrameRate, sources: [String: SourceReference],
        passThroughFormat format: VideoFrame.Format? = nil, transparentFormat: VideoFrame.Format? = nil,
        primaries: ColorDescription.Primaries = .bt709
    ) {
        self.instruction = instruction
        self.format = format
        self.transparentFormat = transparentFormat
        context = PaintContext(
            instruction, canvas: canvas, frameRate: frameRate, primaries: primaries, sources: sources, damage: nil)
    }

    /// The explanation of the frame with this number on the instruction's own timeline. Its part is that of the frame's
    /// stack.
    /// - Throws: `MediaError` when the frame cannot be drawn.
    package func explanation(atFrame index: Int) throws(MediaError) -> Explanation {
        let log = DecisionLog(.frame(number: index))
        _ = try makePictures(of: instruction, format, transparent: transparentFormat, context.recording(in: log)).picture(
            atFrame: index)
        return log.explanation
    }
}
