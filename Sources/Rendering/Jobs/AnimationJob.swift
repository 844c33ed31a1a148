import ArtifactStore
import ExportPlan
import Media
import Vocabulary

/// Joins the segments of an animated picture and writes the film. It replaces `stitch` for file types without streams
/// and timestamps.
func joinAnimation(
    _ plan: StitchPlan, _ segments: [StitchSegment], store: any ArtifactStore, output: String, _ progress: (Int) -> Void
) throws {
    do {
        let writer = try animationWriter(plan.container, path: output, frameRate: plan.frameRate)
        var firstFrame = 0
        for segment in segments {
            let frames = firstFrame..<firstFrame + segment.frameCount
            let file = try artifact(segment.key, in: store)
            try add(segment, file, frames, to: writer, store)
            firstFrame = frames.upperBound
            progress(firstFrame)
        }
        guard firstFrame == plan.frameCount else {
            throw JobFailure(.crash, subject: "", message: "the film has \(firstFrame) frames instead of \(plan.frameCount)")
        }
        try writer.finish()
    } catch {
        removeFile(output)
        throw error
    }
}

/// - Throws: `JobFailure` that names the segment where it is damaged, so that it is rendered again.
private func add(
    _ segment: StitchSegment, _ file: String, _ frames: Range<Int>, to writer: any AnimationWriter, _ store: any ArtifactStore
) throws {
    do {
        try writer.add(segment: file, frames: frames)
    } catch {
        guard error.code == .damaged else { throw error }
        store.discard(segment.key)
        throw JobFailure(.crash, subject: segment.key.text, message: error.message, missingArtifacts: [segment.key])
    }
}
