import Media

/// Draws a plane in perspective. Each sample of the result is a weighted mean of the samples of the plane that it
/// covers. The weights are triangles along the plane's axes; their half width is the step from one result sample to the
/// next. Edges are one sample of the result soft.
struct PerspectiveWarp {
    /// The largest number of samples that one sample of the result reads along an axis. Where it covers more, it reads
    /// only every second, third and so on.
    private static let tapLimit = 32

    private let plane: Plane
    private let alpha: [UInt8]?
    private let window: PictureWindow?
    private let inverse: PerspectiveMap

    /// - Parameters:
    ///   - alpha: coverage in rows of `plane.width` bytes. Nil means that everything is covered.
    ///   - window: the visible part of the plane. Nil shows everything.
    ///   - map: from the plane's samples to the result's.
    init(_ plane: Plane, alpha: [UInt8]?, window: PictureWindow? = nil, _ map: PerspectiveMap) {
        self.plane = plane
        self.alpha = alpha
        self.window = window
        inverse = map.inverse
    }

    /// - Parameters:
    ///   - left, top: where the result's first sample lies on the canvas plane.
    ///   - width, height: the result's size in samples.
    func drawn(left: Int, top: Int, width: Int, height: Int) -> SamplePlane {
        var result = SamplePlane(width: width, height: height, samples: [UInt8](repeating: 0, count: width * height))
        var covers = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                guard let value = sample(Double(left + x) + 0.5, Double(top + y) + 0.5) else { continue }
                result.samples[y * width + x] = value.sample
                covers[y * width + x] = value.cover
            }
        }
        if !covers.allSatisfy({ $0 == 255 }) { result.alpha = covers }
        return result
    }

    private func sample(_ x: Double, _ y: Double) -> (sample: UInt8, cover: UInt8)? {
        guard let place = inverse(x, y) else { return nil }
        let rows = inverse.rows
        // How far the place in the plane moves from one sample of the result to the next.
        func slope(_ row: Int, _ value: Double) -> Float {
            let across = (rows[row].x - value * rows[2].x) / place.depth
            let down = (rows[row].y - value * rows[2].y) / place.depth
            return Float((across * across + down * down).squareRoot())
        }
        let columns = Footprint(Float(place.x), slope(0, place.x), plane.width, window?.x)
        let lines = Footprint(Float(place.y), slope(1, place.y), plane.height, window?.y)
        let inside = columns.inside * lines.inside
        guard inside > 0 else { return nil }
        var (sum, covered, all): (Float, Float, Float) = (0, 0, 0)
        for line in stride(from: lines.first, through: lines.last, by: lines.step) {
            let weightY = lines.weight(line)
            guard weightY > 0 else { continue }
            let py = min(max(line, 0), plane.height - 1)
            let row = plane.row(py)
            for column in stride(from: columns.first, through: columns.last, by: columns.step) {
                let weight = weightY * columns.weight(column)
                let px = min(max(column, 0), plane.width - 1)
                let share = weight * (alpha.map { Float($0[py * plane.width + px]) } ?? 255)
                all += weight
                covered += share
                sum += share * Float(row[px])
            }
        }
        guard covered > 0, all > 0 else { return nil }
        return (UInt8(min(255, (sum / covered).rounded())), UInt8(min(255, (inside * covered / all).rounded())))
    }

    /// The samples along one axis of the plane that a sample of the result covers.
    private struct Footprint {
        /// In sample numbers: the middle of sample 0 is 0.
        let center: Float
        let radius: Float
        let first: Int
        let last: Int
        let step: Int
        /// The part of the result sample that lies on the visible part of the plane, 0...1.
        let inside: Float
        private let window: ClosedRange<Double>?

        /// - Parameters:
        ///   - place: in coordinates in which sample 0 reaches from 0 to 1.
        ///   - slope: samples of the plane from one sample of the result to the next.
        init(_ place: Float, _ slope: Float, _ length: Int, _ window: ClosedRange<Double>?) {
            self.window = window
            center = place - 0.5
            let isNear = slope > 0 && slope < Float(length) * 4
            radius = isNear ? max(1, slope) : 1
            let (low, high) = (Float(window?.lowerBound ?? 0), Float(window?.upperBound ?? Double(length)))
            inside = isNear ? min(1, max(0, min(place - low, high - place) / slope + 0.5)) : 0
            guard inside > 0 else {
                (first, last, step) = (0, 0, 1)
                return
            }
            first = Int((center - radius).rounded(.down)) + 1
            last = max(first, Int((center + radius).rounded(.up)) - 1)
            step = (last - first) / PerspectiveWarp.tapLimit + 1
        }

        func weight(_ index: Int) -> Float {
            let weight = max(0, 1 - abs(Float(index) - center) / radius)
            guard let window else { return weight }
            return weight * Float(window.share(ofSample: index))
        }
    }
}
