import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Where a picture lies on the canvas: it is cropped, then scaled by the mode, with edges rounded to even pixels.
///
/// - Parameters:
///   - size: the upright source in square pixels.
///   - crop: in pixels or fractions of `size`.
/// - Returns: the part of the picture that is seen, and the pixels of the canvas that it covers.
func placePicture(
    _ size: FrameSize, orientation: Orientation, crop: Rect?, mode: ScalingMode, format: PictureFormat
) -> Placement {
    let seen = croppedRegion(size, crop)
    let width = seen.width * Rational(size.width)
    let height = seen.height * Rational(size.height)
    let canvas = format.canvas
    let scale = mode.scale(Rational(canvas.width) / width, Rational(canvas.height) / height) ?? format.scale
    let across = fit(width * scale.x, into: canvas.width)
    let down = fit(height * scale.y, into: canvas.height)
    let region = Region(
        x: seen.x + seen.width * across.hidden / Rational(2), y: seen.y + seen.height * down.hidden / Rational(2),
        width: seen.width * (.one - across.hidden), height: seen.height * (.one - down.hidden))
    return Placement(
        orientation: orientation, region: region,
        destination: PixelRect(x: across.start, y: down.start, width: across.length, height: down.length))
}

/// Centres a picture's extent on a canvas edge of `available` pixels.
/// - Returns: the even start and length of the covered pixels, and the hidden fraction of the extent.
private func fit(_ extent: Rational, into available: Int) -> (start: Int, length: Int, hidden: Rational) {
    let limit = Rational(available)
    if extent >= limit { return (0, available, (extent - limit) / extent) }
    let length = max(2, (extent / Rational(2)).rounded * 2)
    return ((available - length) / 4 * 2, length, .zero)
}

/// The part of a picture that a crop leaves.
func croppedRegion(_ size: FrameSize, _ crop: Rect?) -> Region {
    guard let crop else { return .whole }
    if crop.unit == .ratio { return Region(x: crop.x, y: crop.y, width: crop.width, height: crop.height) }
    let width = Rational(size.width)
    let height = Rational(size.height)
    return Region(x: crop.x / width, y: crop.y / height, width: crop.width / width, height: crop.height / height)
}
