import ExportPlan
import TestSupport
import Vocabulary

/// A second implementation of the ten transitions that the specification itself defines. It follows the specification's
/// table: slow, in `Double`, sample by sample.
///
/// Pictures are read at full chroma resolution (each chroma sample covers its two columns and two rows). A chroma
/// sample of the result is the mean of the four places that it covers.
struct ReferenceTransition {
    static let kinds: [TransitionKind] = [
        .dissolve, .fade, .wipeLeft, .wipeRight, .wipeUp, .wipeDown, .slideLeft, .slideRight, .slideUp, .slideDown,
    ]

    let kind: TransitionKind
    let from: PlanarPicture
    let to: PlanarPicture
    /// `k` and `N` of `p = k / N`.
    let step: Int
    let count: Int

    /// The result's samples, plane by plane.
    func planes() -> [[Double]] {
        (0..<3).map { plane in
            (0..<from.height(plane)).flatMap { y in
                (0..<from.width(plane)).map { x in plane == 0 ? sample(0, x, y) : chroma(plane, x, y) }
            }
        }
    }

    private func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let covered = [(0, 0), (1, 0), (0, 1), (1, 1)]
        return covered.reduce(0) { $0 + sample(plane, 2 * x + $1.0, 2 * y + $1.1) } / 4
    }

    /// The result at a place of the full-resolution picture.
    private func sample(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let parts = kind.referenceParts(x, y, size: from.size, step: step, count: count)
        let black = (1 - parts.reduce(0) { $0 + $1.share }) * (plane == 0 ? 16 : 128)
        return parts.reduce(black) { $0 + $1.share * value($1.isIncoming ? to : from, plane, $1.x, $1.y) }
    }

    private func value(_ picture: PlanarPicture, _ plane: Int, _ x: Int, _ y: Int) -> Double {
        let index = plane == 0 ? y * picture.width(0) + x : y / 2 * picture.width(plane) + x / 2
        return Double(picture.planes[plane][index])
    }
}

/// A share of one source pixel in a pixel of the result. Shares that add up to less than 1 leave the rest black.
struct ReferenceTransitionPart {
    var isIncoming: Bool
    var x: Int
    var y: Int
    var share: Double
}

extension TransitionKind {
    /// The specification's table.
    /// - Parameters:
    ///   - step, count: `k` and `N` of `p = k / N`.
    func referenceParts(_ x: Int, _ y: Int, size: FrameSize, step: Int, count: Int) -> [ReferenceTransitionPart] {
        let (width, height) = (size.width, size.height)
        let p = Double(step) / Double(count)
        func part(_ isIncoming: Bool, _ x: Int, _ y: Int, _ share: Double = 1) -> ReferenceTransitionPart {
            ReferenceTransitionPart(isIncoming: isIncoming, x: x, y: y, share: share)
        }
        // `round(extent * p)`.
        func moved(_ extent: Int) -> Int { Int((Double(extent) * p).rounded()) }
        let (across, down) = (moved(width), moved(height))
        switch self {
        case .dissolve: return [part(false, x, y, 1 - p), part(true, x, y, p)]
        case .fade: return [p < 0.5 ? part(false, x, y, 1 - 2 * p) : part(true, x, y, 2 * p - 1)]
        case .wipeLeft: return [part(x * count >= width * (count - step), x, y)]
        case .wipeRight: return [part(x * count < width * step, x, y)]
        case .wipeUp: return [part(y * count >= height * (count - step), x, y)]
        case .wipeDown: return [part(y * count < height * step, x, y)]
        case .slideLeft: return [x + across < width ? part(false, x + across, y) : part(true, x + across - width, y)]
        case .slideRight: return [x >= across ? part(false, x - across, y) : part(true, x - across + width, y)]
        case .slideUp: return [y + down < height ? part(false, x, y + down) : part(true, x, y + down - height)]
        default: return [y >= down ? part(false, x, y - down) : part(true, x, y - down + height)]
        }
    }
}
