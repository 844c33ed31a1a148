import ExportPlan

/// Draws the picture of an emoji where libass has rotated, stretched or tilted its place to.
enum EmojiPicture {
    /// - Parameters:
    ///   - text: the emoji as the typesetter draws it.
    ///   - scale: pixels of the emoji's picture per pixel of the script.
    ///   - projection: the map from pixels of the script, counted from the emoji's start on its baseline, to pixels of
    ///     the frame.
    ///   - bounds: the part of the frame that may be seen.
    /// - Returns: nil where no part of the emoji is seen.
    static func placed(
        _ text: MeasuredText, scale: Double, _ projection: PlaneProjection, within bounds: EdgeBox
    ) -> (picture: DrawnPicture, x: Int, y: Int)? {
        let picture = text.picture
        let (originX, originY) = (Double(picture.origin.x), Double(picture.origin.y) + text.baseline)
        guard let inverse = projection.inverse else { return nil }
        let corners = [(0, 0), (picture.width, 0), (0, picture.height), (picture.width, picture.height)].map { x, y in
            projection.apply((Double(x) - originX) / scale, (Double(y) - originY) / scale)
        }
        var box = bounds
        // A corner behind the horizon does not limit how far the picture extends.
        let seen = corners.compactMap { $0 }
        if seen.count == corners.count {
            func whole(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
                Int(max(-1e6, min(1e6, value)).rounded(rule))
            }
            box.left = max(box.left, whole(seen.map(\.x).min() ?? 0, .down))
            box.top = max(box.top, whole(seen.map(\.y).min() ?? 0, .down))
            box.right = min(box.right, whole(seen.map(\.x).max() ?? 0, .up))
            box.bottom = min(box.bottom, whole(seen.map(\.y).max() ?? 0, .up))
        }
        guard box.left < box.right, box.top < box.bottom else { return nil }
        let (width, height) = (box.right - box.left, box.bottom - box.top)
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                var sums = (0.0, 0.0, 0.0, 0.0)
                for part in 0..<samples * samples {
                    let (across, down) = (Double(part % samples), Double(part / samples))
                    guard
                        let place = inverse.apply(
                            Double(box.left + x) + (across + 0.5) / Double(samples),
                            Double(box.top + y) + (down + 0.5) / Double(samples))
                    else { continue }
                    add(picture, place.x * scale + originX - 0.5, place.y * scale + originY - 0.5, to: &sums)
                }
                let to = (y * width + x) * 4
                let count = Double(samples * samples)
                pixels[to] = UInt8((sums.0 / count).rounded())
                pixels[to + 1] = UInt8((sums.1 / count).rounded())
                pixels[to + 2] = UInt8((sums.2 / count).rounded())
                pixels[to + 3] = UInt8((sums.3 / count).rounded())
            }
        }
        let drawn = DrawnPicture(
            width: width, height: height, pixels: pixels, origin: .init(x: 0, y: 0), boxSize: .init(width: width, height: height))
        return (drawn, box.left, box.top)
    }

    /// The number of samples per pixel in each direction that are averaged.
    private static let samples = 4

    /// Adds a premultiplied sample of the picture, interpolated between pixels; it is transparent outside.
    private static func add(
        _ picture: DrawnPicture, _ x: Double, _ y: Double, to sums: inout (Double, Double, Double, Double)
    ) {
        guard x > -1, y > -1, x < Double(picture.width), y < Double(picture.height) else { return }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (shareX, shareY) = (x - Double(left), y - Double(top))
        for (column, row, share) in [
            (left, top, (1 - shareX) * (1 - shareY)), (left + 1, top, shareX * (1 - shareY)),
            (left, top + 1, (1 - shareX) * shareY), (left + 1, top + 1, shareX * shareY),
        ] where column >= 0 && row >= 0 && column < picture.width && row < picture.height {
            let from = (row * picture.width + column) * 4
            sums.0 += share * Double(picture.pixels[from])
            sums.1 += share * Double(picture.pixels[from + 1])
            sums.2 += share * Double(picture.pixels[from + 2])
            sums.3 += share * Double(picture.pixels[from + 3])
        }
    }
}
