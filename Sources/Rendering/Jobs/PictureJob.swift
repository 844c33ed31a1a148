import ArtifactStore
import Compositor
import ExactTime
import ExportPlan
import Media
import Vocabulary

/// Renders the frames of a sheet with the code that renders segments, and stores them as one picture file. Each frame
/// seeks in its sources, so that its cost does not depend on its place in the film.
/// - Parameter progress: called with the number of finished frames.
/// - Returns: warnings about concealed damage in the sources.
func renderPicture(
    _ plan: PicturePlan, _ sources: JobSources, into store: any ArtifactStore, _ progress: (Int) -> Void
) throws -> [SourceWarning] {
    try writeArtifact(plan.key, into: store, from: sources) { path in
        let sheet = plan.sheet
        let picture = try VideoFrame(.rgba, sheet.size)
        // The background between the frames, and where the last row has no frames.
        let whole = PixelRect(sheet.size)
        picture.plane(0).fill(whole, repeating: [32, 32, 32, 255])
        let scaler = PictureScaler(subject: path)
        for (index, single) in sheet.frames.enumerated() {
            let compositor = try Compositor(
                single.instruction, canvas: single.canvas, frameRate: single.frameRate, sources: sources.byHash,
                decoderThreads: sources.decoderThreads, damage: sources.damage)
            let frame = try compositor.picture(atFrame: 0)
            let place = sheet.place(ofFrame: index)
            if place.rect != sheet.rect(ofFrame: index) {
                picture.plane(0).fill(sheet.rect(ofFrame: index), repeating: [0, 0, 0, 255])
            }
            try scaler.scale(frame, region: place.region, color: .bt709, into: picture, at: place.rect)
            progress(index + 1)
        }
        try PictureFile.write(picture, as: plan.fileType, to: path)
    }
}

extension ContactSheet {
    /// Which region of a frame is seen, and where on the sheet.
    fileprivate func place(ofFrame index: Int) -> (region: Region, rect: PixelRect) {
        let box = rect(ofFrame: index)
        let canvas = frames[index].canvas
        let scale =
            fit.scale(Rational(box.width) / Rational(canvas.width), Rational(box.height) / Rational(canvas.height))
            ?? (Rational.one, Rational.one)
        /// - Returns: the part of the canvas that is seen, in fractions, and its place in the box, in pixels.
        func side(_ scale: Rational, _ canvas: Int, _ box: Int) -> (start: Rational, length: Rational, first: Int, count: Int) {
            let scaled = scale * Rational(canvas)
            guard scaled > Rational(box) else {
                let count = min(box, max(1, scaled.rounded))
                return (.zero, .one, (box - count) / 2, count)
            }
            let seen = Rational(box) / scaled
            return ((.one - seen) / Rational(2), seen, 0, box)
        }
        let (across, down) = (side(scale.x, canvas.width, box.width), side(scale.y, canvas.height, box.height))
        return (
            Region(x: across.start, y: down.start, width: across.length, height: down.length),
            PixelRect(x: box.x + across.first, y: box.y + down.first, width: across.count, height: down.count)
        )
    }
}

extension Plane {
    /// - Parameter pixel: the bytes of one pixel.
    fileprivate func fill(_ rect: PixelRect, repeating pixel: [UInt8]) {
        for y in rect.y..<rect.y + rect.height {
            let row = row(y)
            for x in rect.x..<rect.x + rect.width {
                for (channel, byte) in pixel.enumerated() { row[x * pixel.count + channel] = byte }
            }
        }
    }
}
