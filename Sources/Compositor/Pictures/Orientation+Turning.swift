import ExportPlan
import Media

/// Rotates and mirrors whole pictures: samples are moved, and no value changes.
extension VideoFrame {
    /// The picture mirrored and then rotated clockwise. Returns itself if it is already upright.
    func rotated(_ orientation: Orientation) throws(MediaError) -> VideoFrame {
        guard orientation != .upright else { return self }
        let size = orientation.swapsAxes ? FrameSize(width: size.height, height: size.width) : size
        let result = try VideoFrame(.yuv420, size)
        for index in 0..<3 {
            let source = plane(index)
            let target = result.plane(index)
            turn(
                source.base, stride: source.stride, into: target.base, stride: target.stride, width: target.width,
                height: target.height, orientation)
        }
        return result
    }
}

/// Rotates one plane of any sample type. It works in tiles, so that a rotation by 90 degrees stays inside the cache.
/// - Parameters:
///   - sourceStride: samples from row to row.
///   - width: the target's width.
func turn<Sample>(
    _ source: UnsafeMutablePointer<Sample>, stride sourceStride: Int, into target: UnsafeMutablePointer<Sample>,
    stride targetStride: Int, width: Int, height: Int, _ orientation: Orientation
) {
    // The source of target sample (x, y) is origin + x * stepX + y * stepY.
    let storedWidth = orientation.swapsAxes ? height : width
    let storedHeight = orientation.swapsAxes ? width : height
    var (x0, y0, dxx, dxy, dyx, dyy) = (0, 0, 1, 0, 0, 1)
    switch orientation.quarterTurns {
    case 1: (x0, y0, dxx, dxy, dyx, dyy) = (0, storedHeight - 1, 0, -1, 1, 0)
    case 2: (x0, y0, dxx, dxy, dyx, dyy) = (storedWidth - 1, storedHeight - 1, -1, 0, 0, -1)
    case 3: (x0, y0, dxx, dxy, dyx, dyy) = (storedWidth - 1, 0, 0, 1, -1, 0)
    default: break
    }
    if orientation.mirrored {
        x0 = storedWidth - 1 - x0
        dxx = -dxx
        dyx = -dyx
    }
    let stepX = dxx + dxy * sourceStride
    let stepY = dyx + dyy * sourceStride
    let origin = source + x0 + y0 * sourceStride
    let tile = 32
    for tileY in stride(from: 0, to: height, by: tile) {
        for tileX in stride(from: 0, to: width, by: tile) {
            for y in tileY..<min(height, tileY + tile) {
                let row = target + y * targetStride
                var from = origin + y * stepY + tileX * stepX
                for x in tileX..<min(width, tileX + tile) {
                    row[x] = from.pointee
                    from += stepX
                }
            }
        }
    }
}
