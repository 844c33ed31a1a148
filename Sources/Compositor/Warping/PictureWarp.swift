import ExportPlan
import Media

/// Draws a picture anywhere on the canvas with soft edges: moved, scaled and rotated by an affine map, or in
/// perspective.
enum PictureWarp {
    /// - Parameters:
    ///   - map: from the picture's own samples to the canvas.
    ///   - window: the visible part of the picture. Its edges are as soft as the picture's own. Nil shows everything.
    /// - Returns: the part of the picture that lies on the canvas, where, and how it was drawn; nil if none does.
    static func rasterize(
        _ picture: RasterPicture, _ map: PictureMap, window: PictureWindow? = nil, on canvas: FrameSize
    ) throws(MediaError) -> (picture: RasterPicture, rect: PixelRect, method: Explanation.PlacementMethod)? {
        let size = picture.frame.size
        guard let rect = map.bounds(of: window ?? PictureWindow(size), on: canvas) else { return nil }
        let method = map.method(of: size, on: canvas)
        if method == .asItIs, window == nil { return (picture, rect, method) }
        if window == nil, let pixels = picture.pixels, let offset = map.wholePixels {
            return (try pixels.moved(by: offset, to: rect).split(), rect, method)
        }
        let frame = try VideoFrame(.yuv420, rect.size)
        let full = map.enlarges ? picture.pixels?.fullChroma() : nil
        var covers: [[UInt8]?] = []
        for index in 0..<3 {
            let step = index == 0 ? 1 : 2
            let target = frame.plane(index)
            func draw(
                _ plane: Plane, _ alpha: [UInt8]?, _ window: PictureWindow?, _ map: PictureMap,
                _ method: Explanation.PlacementMethod
            ) -> SamplePlane? {
                SourcePlane(plane: plane, alpha: alpha, window: window).drawn(
                    map, by: method, left: rect.x / step, top: rect.y / step, width: target.width, height: target.height)
            }
            let found: SamplePlane?
            if index > 0, let full {
                let toHalf = map.toHalf
                found = full.withPlane(index) { draw($0, full.alpha, window, toHalf, toHalf.method(of: size, on: canvas)) }
            } else {
                found = draw(
                    picture.frame.plane(index), picture.alpha?[index], index == 0 ? window : window?.halved,
                    index == 0 ? map : map.halved, method)
            }
            guard let drawn = found else { return nil }
            drawn.samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                for y in 0..<target.height { target.row(y).update(from: base + y * target.width, count: target.width) }
            }
            covers.append(drawn.alpha)
        }
        guard covers.contains(where: { $0 != nil }) else { return (RasterPicture(frame: frame, alpha: nil), rect, method) }
        var alpha = AlphaPlanes(covering: 255, rect.size)
        for (index, cover) in covers.enumerated() { if let cover { alpha[index] = cover } }
        return (RasterPicture(frame: frame, alpha: alpha), rect, method)
    }
}

extension PixelPicture {
    /// The pixels, placed in a rectangle of the canvas.
    fileprivate func moved(by offset: (x: Int, y: Int), to rect: PixelRect) throws(MediaError) -> PixelPicture {
        let result = try VideoFrame(.rgba, rect.size)
        let (source, target) = (frame.plane(0), result.plane(0))
        let columns = (offset.x..<(offset.x + source.width)).clamped(to: rect.x..<(rect.x + target.width))
        for y in 0..<target.height {
            target.row(y).update(repeating: 0, count: 4 * target.width)
            let row = rect.y + y - offset.y
            guard row >= 0, row < source.height, !columns.isEmpty else { continue }
            (target.row(y) + 4 * (columns.lowerBound - rect.x)).update(
                from: source.row(row) + 4 * (columns.lowerBound - offset.x), count: 4 * columns.count)
        }
        return PixelPicture(frame: result, isPremultiplied: isPremultiplied)
    }
}

extension PictureMap {
    /// The shift in whole pixels, if the map does nothing else. Nil otherwise.
    fileprivate var wholePixels: (x: Int, y: Int)? {
        guard case .affine(let map) = self, map.xx == 1, map.yy == 1, map.isAxisAligned, map.x0 == map.x0.rounded(),
            map.y0 == map.y0.rounded()
        else { return nil }
        return (Int(map.x0), Int(map.y0))
    }
}

extension AffineMap {
    static let identity = AffineMap(xx: 1, xy: 0, yx: 0, yy: 1, x0: 0, y0: 0)
}

/// A plane that is drawn through a map.
private struct SourcePlane {
    let plane: Plane
    let alpha: [UInt8]?
    let window: PictureWindow?

    func drawn(
        _ map: PictureMap, by method: Explanation.PlacementMethod, left: Int, top: Int, width: Int, height: Int
    ) -> SamplePlane? {
        switch map {
        case .affine(let map): drawn(map, by: method, left: left, top: top, width: width, height: height)
        case .perspective(let map):
            PerspectiveWarp(plane, alpha: alpha, window: window, map).drawn(left: left, top: top, width: width, height: height)
        }
    }

    private func drawn(
        _ map: AffineMap, by method: Explanation.PlacementMethod, left: Int, top: Int, width: Int, height: Int
    ) -> SamplePlane? {
        switch method {
        case .asItIs, .alongAxes, .perspective: return alongAxes(map, left: left, top: top, width: width, height: height)
        case .quarterTurn: return transposed(map, left: left, top: top, width: width, height: height)
        case .interpolated, .shrunkAndInterpolated: break
        }
        // A picture that is shrunk is first scaled along its own axes. The remaining rotation then skips no samples.
        let (x, y) = map.shrinking
        guard x > 0, y > 0, let inverse = map.afterScaling(x, y).inverse else { return nil }
        if method == .interpolated {
            return PlaneWarp(plane, alpha: alpha, window: window, inverse).drawn(
                left: left, top: top, width: width, height: height)
        }
        var small = scaled(x, y)
        let cover = small.alpha
        let (smallWidth, smallHeight) = (small.width, small.height)
        return small.samples.withUnsafeMutableBufferPointer { samples in
            samples.baseAddress.map { base in
                PlaneWarp(
                    Plane(base: base, stride: smallWidth, width: smallWidth, height: smallHeight), alpha: cover,
                    window: window?.scaled(x, y), inverse
                ).drawn(left: left, top: top, width: width, height: height)
            }
        }
    }

    private func alongAxes(_ map: AffineMap, left: Int, top: Int, width: Int, height: Int) -> SamplePlane? {
        guard map.xx != 0, map.yy != 0 else { return nil }
        return resample(
            plane, alpha: alpha,
            AxisWeights(scale: map.xx, offset: map.x0, length: plane.width, window: window?.x, range: left..<(left + width)),
            AxisWeights(scale: map.yy, offset: map.y0, length: plane.height, window: window?.y, range: top..<(top + height)))
    }

    /// Draws a rotation by 90 degrees: the plane is transposed, and the rest is a scaling along the axes.
    private func transposed(_ map: AffineMap, left: Int, top: Int, width: Int, height: Int) -> SamplePlane? {
        let size = plane.width * plane.height
        var samples = [UInt8](repeating: 0, count: size)
        var covers = [UInt8](repeating: 0, count: alpha == nil ? 0 : size)
        for y in 0..<plane.height {
            let row = plane.row(y)
            for x in 0..<plane.width { samples[x * plane.height + y] = row[x] }
            guard let alpha else { continue }
            for x in 0..<plane.width { covers[x * plane.height + y] = alpha[y * plane.width + x] }
        }
        let straight = AffineMap(xx: map.xy, xy: 0, yx: 0, yy: map.yx, x0: map.x0, y0: map.y0)
        let cover = alpha == nil ? nil : covers
        return samples.withUnsafeMutableBufferPointer { samples in
            samples.baseAddress.flatMap { base in
                SourcePlane(
                    plane: Plane(base: base, stride: plane.height, width: plane.height, height: plane.width), alpha: cover,
                    window: window?.transposed
                ).alongAxes(straight, left: left, top: top, width: width, height: height)
            }
        }
    }

    private func scaled(_ x: Double, _ y: Double) -> SamplePlane {
        let (width, height) = ((Double(plane.width) * x).rounded(.up), (Double(plane.height) * y).rounded(.up))
        let columns = AxisWeights(
            scale: x, offset: 0, length: plane.width, window: window?.x, range: 0..<max(1, Int(width)))
        let rows = AxisWeights(
            scale: y, offset: 0, length: plane.height, window: window?.y, range: 0..<max(1, Int(height)))
        // The edges of a window are drawn by the warp that follows.
        if window != nil { return resample(plane, alpha: alpha, columns.withoutEdges, rows.withoutEdges) }
        return resample(plane, alpha: alpha, columns, rows)
    }
}
