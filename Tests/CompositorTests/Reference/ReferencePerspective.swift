import DraftModel

/// A picture in perspective, defined by its four corners: the projective map from the canvas back to the picture, found
/// by solving its eight equations (docs/draft.md, "Transforms", `corners`).
struct ReferencePerspective {
    /// `(x, y)` goes to `((a x + b y + c) / (g x + h y + 1), (d x + e y + f) / (g x + h y + 1))`.
    private let values: [Double]
    private let corners: [SIMD2<Double>]

    /// - Parameters:
    ///   - corners: where the picture's corners land, clockwise from the top left one.
    ///   - box: the part of the picture whose corners these are.
    /// - Returns: nil if the corners lie on one line.
    init?(_ corners: [SIMD2<Double>], _ box: (origin: SIMD2<Double>, size: SIMD2<Double>)) {
        let (low, high) = (box.origin, box.origin + box.size)
        let own = [low, SIMD2(high.x, low.y), high, SIMD2(low.x, high.y)]
        var rows: [[Double]] = []
        for (from, to) in zip(corners, own) {
            rows.append([from.x, from.y, 1, 0, 0, 0, -from.x * to.x, -from.y * to.x, to.x])
            rows.append([0, 0, 0, from.x, from.y, 1, -from.x * to.y, -from.y * to.y, to.y])
        }
        for column in 0..<8 {
            let pivot = (column..<8).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
            guard abs(rows[pivot][column]) > 1e-12 else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<8 where row != column {
                let factor = rows[row][column] / rows[column][column]
                for index in column..<9 { rows[row][index] -= factor * rows[column][index] }
            }
        }
        self.corners = corners
        values = (0..<8).map { rows[$0][8] / rows[$0][$0] }
    }

    /// The place in the picture that shows at a place of the canvas.
    func source(of place: SIMD2<Double>) -> SIMD2<Double> {
        let depth = values[6] * place.x + values[7] * place.y + 1
        return SIMD2(
            values[0] * place.x + values[1] * place.y + values[2], values[3] * place.x + values[4] * place.y + values[5]
        ) / depth
    }

    /// The scale where the picture is nearest to the viewer.
    var largestScale: Double { corners.map { scale(at: $0).max() }.max() ?? 1 }

    /// Canvas pixels per picture pixel along the picture's axes, at a place of the canvas.
    func scale(at place: SIMD2<Double>) -> SIMD2<Double> {
        let step = 1e-4
        let across = (source(of: place + SIMD2(step, 0)) - source(of: place - SIMD2(step, 0))) / (2 * step)
        let down = (source(of: place + SIMD2(0, step)) - source(of: place - SIMD2(0, step))) / (2 * step)
        return SIMD2(
            1 / (across.x * across.x + down.x * down.x).squareRoot(), 1 / (across.y * across.y + down.y * down.y).squareRoot())
    }
}
