import ArtifactStore
import ExportPlan
import Media
import Vocabulary

/// Joins the segments of a picture sequence and writes the film: one archive, whose pictures are numbered from 1 on. It
/// replaces `stitch` for file types of single pictures.
func joinPictures(
    _ plan: StitchPlan, _ segments: [StitchSegment], store: any ArtifactStore, output: String, _ progress: (Int) -> Void
) throws {
    do {
        let writer = try FileArchiveWriter(path: output)
        var frames = 0
        for segment in segments {
            try add(segment, to: writer, plan.container.fileType.format.pictureSuffixes[0], store)
            frames += segment.frameCount
            progress(frames)
        }
        guard frames == plan.frameCount else {
            throw JobFailure(.crash, subject: "", message: "the film has \(frames) frames instead of \(plan.frameCount)")
        }
        try writer.finish()
    } catch {
        removeFile(output)
        throw error
    }
}

/// - Throws: `JobFailure` that names the segment where it is damaged, so that it is rendered again.
private func add(
    _ segment: StitchSegment, to writer: FileArchiveWriter, _ suffix: String, _ store: any ArtifactStore
) throws {
    let path = try artifact(segment.key, in: store)
    do throws(MediaError) {
        let archive = try FileArchiveFile(path: path)
        guard archive.entries.count == segment.frameCount else {
            throw MediaError(
                .damaged, subject: path, message: "has \(archive.entries.count) pictures instead of \(segment.frameCount)")
        }
        for entry in archive.entries { writer.add(picture: try archive.picture(entry), suffix: suffix) }
    } catch {
        guard error.code == .damaged else { throw error }
        store.discard(segment.key)
        throw JobFailure(.crash, subject: segment.key.text, message: error.message, missingArtifacts: [segment.key])
    }
}
