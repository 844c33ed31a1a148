import ExportPlan
import TestSupport
import Vocabulary

/// The ten transitions that the specification defines itself, once more, straight from the specification's table: slow, in `Double`, sample by sample.
///
/// Pictures are seen at full chroma resolution (each chroma sample covers its two columns and two rows); a chroma sample
/// of the result is the mean of the four places that it covers.
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

    private var progress: Double { Double(step) / Double(count) }

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
        let (width, height) = (from.size.width, from.size.height)
        let p = progress
        let black = plane == 0 ? 16.0 : 128.0
        let (across, down) = (rounded(width), rounded(height))
        switch kind {
        case .dissolve:
            return value(from, plane, x, y) * (1 - p) + value(to, plane, x, y) * p
        case .fade:
            return p < 0.5
                ? black + (value(from, plane, x, y) - black) * (1 - 2 * p)
                : black + (value(to, plane, x, y) - black) * (2 * p - 1)
        case .wipeLeft:
            return value(x * count >= width * (count - step) ? to : from, plane, x, y)
        case .wipeRight:
            return value(x * count < width * step ? to : from, plane, x, y)
        case .wipeUp:
            return value(y * count >= height * (count - step) ? to : from, plane, x, y)
        case .wipeDown:
            return value(y * count < height * step ? to : from, plane, x, y)
        case .slideLeft:
            return x + across < width ? value(from, plane, x + across, y) : value(to, plane, x + across - width, y)
        case .slideRight:
            return x >= across ? value(from, plane, x - across, y) : value(to, plane, x - across + width, y)
        case .slideUp:
            return y + down < height ? value(from, plane, x, y + down) : value(to, plane, x, y + down - height)
        default:
            return y >= down ? value(from, plane, x, y - down) : value(to, plane, x, y - down + height)
        }
    }

    /// `round(extent * p)`.
    private func rounded(_ extent: Int) -> Int { Int((Double(extent) * progress).rounded()) }

    private func value(_ picture: PlanarPicture, _ plane: Int, _ x: Int, _ y: Int) -> Double {
        let index = plane == 0 ? y * picture.width(0) + x : y / 2 * picture.width(plane) + x / 2
        return Double(picture.planes[plane][index])
    }
}
