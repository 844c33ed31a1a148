import Compositor
import ExactTime
import ExportPlan
import Media

/// Says how a picture segment's frames are made, by asking the painters that would make them.
/// - Parameter progress: told the number of frames that have been looked at.
func explain(
    _ slice: VideoSlice, _ sources: [String: SourceReference], _ progress: (Int) -> Void
) throws -> SegmentProgram {
    let compositor = try Compositor(
        slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources,
        keepingColorsIn: slice.encode.keptFormat)
    var program = SegmentProgram(frames: slice.tellingFrames, moments: [])
    for (number, frame) in program.frames.enumerated() {
        let stack = try compositor.program(atFrame: frame)
        if program.moments.last?.stack.isSameWay(as: stack) != true {
            program.moments.append(SegmentProgram.Moment(frame: frame, stack: stack))
        }
        progress(number + 1)
    }
    return program
}

extension VideoSlice {
    /// The first frame, the middle one, the last, and those at which a layer comes or goes.
    fileprivate var tellingFrames: [Int] {
        let changes = instruction.layers.flatMap(\.timeRanges).flatMap { range in
            let frames = frameRate.frames(in: range)
            return [frames.lowerBound, frames.upperBound]
        }
        let wanted = Set([0, frameCount / 2, frameCount - 1] + changes)
        return wanted.filter { (0..<frameCount).contains($0) }.sorted()
    }
}
