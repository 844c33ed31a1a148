import CAss

/// Small dots in and around the place of an emoji, in six rows and columns, each drawn by libass in a colour of its
/// own. Their positions in the frame show how libass has moved, rotated, stretched and tilted the place. Some dots lie
/// beside the emoji, so that enough of them are in the frame when only a corner of the emoji is.
struct MarkerGrid {
    /// The dots' centres in pixels of the script, to the right of and below the start of the emoji on its baseline.
    let dots: [(x: Double, y: Double)]
    /// A dot's width, which is also the advance to the next one.
    let dotWidth: Double
    private let dotHeight: Double
    /// The ascent of letters, in pixels: libass shifts a slanted letter in proportion to its height.
    private let ascent: Double
    private let width: Double
    /// The height of the spacer after the dots, in pixels; it makes no line higher.
    let height: Double

    private static let places = [-1.25, -0.75, -0.25, 0.25, 0.75, 1.25]
    static let count = places.count * places.count

    /// - Parameters:
    ///   - width: the advance to the next letter.
    ///   - em: the height of an em.
    ///   - ascent: the ascent of the neighbouring letters above the baseline.
    ///   - isNarrow: whether the dots take almost no width, because the boxes of letters do not extend behind them.
    init(width: Double, em: Double, ascent: Double, isNarrow: Bool) {
        self.width = width
        height = em / 2
        dotWidth = MarkerGrid.exact(min(em, width) / (isNarrow ? 512 : 64))
        dotHeight = MarkerGrid.exact(em / (isNarrow ? 4 : 8))
        self.ascent = max(dotHeight, MarkerGrid.exact(ascent))
        let places = MarkerGrid.places.flatMap { y in
            MarkerGrid.places.map { x in (MarkerGrid.exact(width / 2 + x * em), MarkerGrid.exact((y - 0.35) * em)) }
        }
        // The order is independent of the positions; 25 and 36 have no common factor.
        dots = places.indices.map { places[$0 * 25 % places.count] }
    }

    /// Rounds to 1/64, the precision of libass's drawings.
    private static func exact(_ value: Double) -> Double { max(1, (abs(value) * 64).rounded()) / 64 * (value < 0 ? -1 : 1) }

    /// The drawings of all dots in order, as tags and commands.
    func drawings(_ color: (Int) -> String) -> String {
        (0..<MarkerGrid.count).map { index in
            let left = dots[index].x - dotWidth / 2 - Double(index) * dotWidth
            // libass raises a drawing above the baseline by its own height. The last point, which has no extent, makes
            // that the height of a letter.
            let top = dots[index].y - dotHeight / 2 + ascent
            let (right, bottom) = (left + dotWidth, top + dotHeight)
            return
                "{\\1c\(color(index))\\2c\(color(index))}m \(left) \(top) l \(right) \(top) \(right) \(bottom) \(left) \(bottom)"
                + " m \(left) \(top + ascent)"
        }.joined()
    }

    /// The width of the spacer after the dots.
    var restWidth: Double { max(1 / 64, width - Double(MarkerGrid.count) * dotWidth) }
}

/// The dots of one emoji that were found among libass's bitmaps.
struct DetectedMarkerGrid {
    private struct Dot {
        var x = 0.0
        var y = 0.0
        var coverage = 0.0
        var isCut = false
    }

    let mark: Int
    private(set) var lastIndex = -1
    private var dots: [Int: Dot] = [:]
    private var opacity = 0.0
    private var coverage = 0.0

    init(mark: Int) { self.mark = mark }

    /// - Parameter bounds: the part of the frame in which the event is drawn; a dot that reaches its edge may be cut
    ///   off.
    mutating func add(_ index: Int, _ image: ASS_Image, within bounds: EdgeBox) {
        lastIndex = index
        guard let bitmap = image.bitmap else { return }
        var dot = dots[index] ?? Dot()
        let (left, top) = (Int(image.dst_x), Int(image.dst_y))
        for y in 0..<Int(image.h) {
            for x in 0..<Int(image.w) {
                let here = Double(bitmap[y * Int(image.stride) + x])
                dot.x += here * (Double(left + x) + 0.5)
                dot.y += here * (Double(top + y) + 0.5)
                dot.coverage += here
                opacity += here * Double(255 - image.color & 255)
            }
        }
        coverage = dot.coverage + dots.reduce(0) { $1.key == index ? $0 : $0 + $1.value.coverage }
        dot.isCut =
            dot.isCut || left <= bounds.left || top <= bounds.top || left + Int(image.w) >= bounds.right
            || top + Int(image.h) >= bounds.bottom
        dots[index] = dot
    }

    /// The mean opacity of the dots, 0...255.
    var meanOpacity: Int { coverage > 0 ? Int((opacity / coverage).rounded()) : 0 }

    /// The map from pixels of the script, counted from the emoji's start on its baseline, to pixels of the frame; nil
    /// where too few dots are seen.
    func projection(_ lattice: MarkerGrid) -> PlaneProjection? {
        let pairs = dots.keys.sorted().compactMap { index in
            dots[index].flatMap { dot in
                dot.isCut || dot.coverage < 8
                    ? nil
                    : PlaneProjection.Pair(
                        from: lattice.dots[index], to: (dot.x / dot.coverage, dot.y / dot.coverage),
                        drift: Double(index) * lattice.dotWidth)
            }
        }
        // The simplest map that fits the dots is taken. A vertical slant (\fay) begins anew at each dot, so that dots
        // drift by their numbers.
        let knowsDrift = pairs.count >= 12
        var best: PlaneProjection.Fit?
        for fit in [
            PlaneProjection.affine(pairs, drifts: false), knowsDrift ? PlaneProjection.affine(pairs, drifts: true) : nil,
            PlaneProjection.projective(pairs, drifts: false), knowsDrift ? PlaneProjection.projective(pairs, drifts: true) : nil,
        ] {
            guard let fit else { continue }
            if fit.error <= DetectedMarkerGrid.tolerance { return fit.projection }
            if best.map({ fit.error < $0.error }) ?? true { best = fit }
        }
        return best?.projection
    }

    /// The tolerance in pixels: libass places bitmaps at multiples of 1/8 pixel.
    private static let tolerance = 0.15
}

/// A rectangle of whole pixels.
struct EdgeBox {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
}
