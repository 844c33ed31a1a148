import Compositor
import ExactTime
import ExportPlan
import Media

/// Explains how a picture segment's frames are made, by making some of them.
/// - Parameter progress: called with the number of frames that were examined.
func explain(
    _ slice: VideoSlice, _ sources: [String: SourceReference], _ progress: (Int) -> Void
) throws -> Explanation {
    let explainer = PictureExplainer(
        slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources,
        passThroughFormat: slice.encode.passThroughFormat, transparentFormat: slice.encode.transparentFormat,
        primaries: slice.encode.composedColor?.primaries ?? .bt709)
    let frames = slice.sampledFrames
    var moments: [Explanation] = []
    for (number, frame) in frames.enumerated() {
        let explanation = try explainer.explanation(atFrame: frame)
        if moments.last?.usesSameMethods(as: explanation) != true { moments.append(explanation) }
        progress(number + 1)
    }
    return Explanation(.pictures(frames: frames), parts: moments)
}

extension VideoSlice {
    /// The first frame, the middle one, the last, and those at which a layer appears or disappears.
    fileprivate var sampledFrames: [Int] {
        let changes = instruction.layers.flatMap(\.timeRanges).flatMap { range in
            let frames = frameRate.frames(in: range)
            return [frames.lowerBound, frames.upperBound]
        }
        let wanted = Set([0, frameCount / 2, frameCount - 1] + changes)
        return wanted.filter { (0..<frameCount).contains($0) }.sorted()
    }
}
