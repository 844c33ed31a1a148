import CAss

/// Small dots in and around the place of an emoji, in six rows and columns, each drawn by libass in a colour of its own: where they come out
/// says how libass has moved, turned, stretched and tilted that place. Some stand beside the emoji, so that enough of them are in the frame
/// when only a corner of the emoji is.
struct EmojiLattice {
    /// Pixels of the script, from where the emoji begins on its line's baseline, to the right and down.
    let dots: [(x: Double, y: Double)]
    /// A dot's width: how far the next one begins to the right of it.
    let dotWidth: Double
    private let dotHeight: Double
    /// A letter's ascent, in pixels: libass shifts a slanted letter in proportion to its height.
    private let ascent: Double
    private let width: Double
    /// Height of the spacer behind the dots, in pixels; it makes no line higher.
    let height: Double

    private static let places = [-1.25, -0.75, -0.25, 0.25, 0.75, 1.25]
    static let count = places.count * places.count

    /// - Parameters:
    ///   - width: how far the next letter stands to the right.
    ///   - em: height of an em.
    ///   - ascent: of the letters beside it, above the baseline.
    ///   - isNarrow: the dots take hardly any room, as the boxes of letters do not go on behind them.
    init(width: Double, em: Double, ascent: Double, isNarrow: Bool) {
        self.width = width
        height = em / 2
        dotWidth = EmojiLattice.exact(min(em, width) / (isNarrow ? 512 : 64))
        dotHeight = EmojiLattice.exact(em / (isNarrow ? 4 : 8))
        self.ascent = max(dotHeight, EmojiLattice.exact(ascent))
        let places = EmojiLattice.places.flatMap { y in
            EmojiLattice.places.map { x in (EmojiLattice.exact(width / 2 + x * em), EmojiLattice.exact((y - 0.35) * em)) }
        }
        // In an order that has nothing to do with where they stand; 25 and 36 have no common factor.
        dots = places.indices.map { places[$0 * 25 % places.count] }
    }

    /// libass draws in 64ths.
    private static func exact(_ value: Double) -> Double { max(1, (abs(value) * 64).rounded()) / 64 * (value < 0 ? -1 : 1) }

    /// The drawings of all dots, one after the other, as tags and commands.
    func drawings(_ color: (Int) -> String) -> String {
        (0..<EmojiLattice.count).map { index in
            let left = dots[index].x - dotWidth / 2 - Double(index) * dotWidth
            // A drawing stands on the baseline by its own height, which a point without extent makes that of a letter.
            let top = dots[index].y - dotHeight / 2 + ascent
            let (right, bottom) = (left + dotWidth, top + dotHeight)
            return
                "{\\1c\(color(index))\\2c\(color(index))}m \(left) \(top) l \(right) \(top) \(right) \(bottom) \(left) \(bottom)"
                + " m \(left) \(top + ascent)"
        }.joined()
    }

    /// How wide what follows the dots has to be.
    var restWidth: Double { max(1 / 64, width - Double(EmojiLattice.count) * dotWidth) }
}

/// Dots of one emoji, as they are found among libass's bitmaps.
struct FoundLattice {
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

    /// - Parameter bounds: what of the frame the event is drawn in; a dot that reaches its edge may be cut.
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

    /// 0...255.
    var meanOpacity: Int { coverage > 0 ? Int((opacity / coverage).rounded()) : 0 }

    /// From pixels of the script, counted from the emoji's beginning on its baseline, to pixels of the frame; nil where too little is seen.
    func projection(_ lattice: EmojiLattice) -> PlaneProjection? {
        let pairs = dots.keys.sorted().compactMap { index in
            dots[index].flatMap { dot in
                dot.isCut || dot.coverage < 8
                    ? nil
                    : PlaneProjection.Pair(
                        from: lattice.dots[index], to: (dot.x / dot.coverage, dot.y / dot.coverage),
                        drift: Double(index) * lattice.dotWidth)
            }
        }
        // The simplest that explains what is seen. Each dot is slanted downwards (\fay) from where it begins itself, so that dots drift
        // away by their numbers.
        let knowsDrift = pairs.count >= 12
        var best: PlaneProjection.Fit?
        for fit in [
            PlaneProjection.affine(pairs, drifts: false), knowsDrift ? PlaneProjection.affine(pairs, drifts: true) : nil,
            PlaneProjection.projective(pairs, drifts: false), knowsDrift ? PlaneProjection.projective(pairs, drifts: true) : nil,
        ] {
            guard let fit else { continue }
            if fit.error <= FoundLattice.tolerance { return fit.projection }
            if best.map({ fit.error < $0.error }) ?? true { best = fit }
        }
        return best?.projection
    }

    /// libass puts bitmaps at eighths of pixels.
    private static let tolerance = 0.15
}

/// A rectangle of whole pixels.
struct EdgeBox {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
}
