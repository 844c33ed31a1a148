import Compositor
import ExportPlan
import Media

/// Renders the shots of a sheet with the code that renders segments, and writes them as one PNG file. A shot seeks in
/// its sources, so that its cost does not depend on its place in the film.
/// - Parameter progress: called with the number of finished shots.
func renderPictures(
    _ sheet: ContactSheet, _ sources: JobSources, to output: String, _ progress: (Int) -> Void
) throws {
    let picture = try VideoFrame(.rgba, sheet.size)
    // The background between the shots, and where the last row has no shots.
    picture.plane(0).fill(repeating: [32, 32, 32, 255])
    let scaler = PictureScaler(subject: output)
    var open: (slice: VideoSlice, compositor: Compositor)?
    for (index, shot) in sheet.shots.enumerated() {
        if open?.slice != shot.slice {
            let slice = shot.slice
            open = (
                slice,
                try Compositor(
                    slice.instruction, canvas: slice.canvas, frameRate: slice.frameRate, sources: sources.byHash,
                    damage: sources.damage)
            )
        }
        guard let frame = try open?.compositor.picture(atFrame: shot.frame) else { continue }
        try scaler.scale(frame, region: .whole, color: .bt709, into: picture, at: sheet.rect(ofShot: index))
        progress(index + 1)
    }
    try sources.checkUnchanged()
    try PictureFile.writePNG(picture, to: output)
}

extension Plane {
    /// - Parameter pixel: the bytes of one pixel.
    fileprivate func fill(repeating pixel: [UInt8]) {
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width {
                for (channel, byte) in pixel.enumerated() { row[x * pixel.count + channel] = byte }
            }
        }
    }
}
