/// A projective map from one plane to another, such as rotations in space produce; affine maps are a special case.
struct PlaneProjection {
    /// Nine numbers in rows: (x, y) is mapped to (m0 x + m1 y + m2, m3 x + m4 y + m5) / (m6 x + m7 y + m8).
    private var numbers: [Double]

    private init(_ numbers: [Double]) { self.numbers = numbers }

    /// - Returns: nil for a point on or behind the horizon.
    func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double)? {
        let depth = numbers[6] * x + numbers[7] * y + numbers[8]
        guard depth > 1e-9 else { return nil }
        return ((numbers[0] * x + numbers[1] * y + numbers[2]) / depth, (numbers[3] * x + numbers[4] * y + numbers[5]) / depth)
    }

    /// - Returns: nil where the plane is seen edge-on.
    var inverse: PlaneProjection? {
        let m = numbers
        let adjugate = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6]
        guard abs(determinant) > 1e-12 else { return nil }
        return PlaneProjection(adjugate.map { $0 / determinant })
    }

    /// A point of one plane and its image in the other.
    struct Pair {
        var from: (x: Double, y: Double)
        var to: (x: Double, y: Double)
        /// How far the image drifts beside the map, in multiples of a vector that all pairs share and that is not
        /// known.
        var drift: Double
    }

    /// A map and its greatest error over all pairs, in each coordinate.
    struct Fit {
        var projection: PlaneProjection
        var error: Double

        fileprivate init(_ numbers: [Double], _ pairs: [Pair], drift: (x: Double, y: Double)) {
            projection = PlaneProjection(numbers)
            let projection = projection
            error =
                pairs.map { pair in
                    guard let place = projection.apply(pair.from.x, pair.from.y) else { return .infinity }
                    return max(
                        abs(place.x + drift.x * pair.drift - pair.to.x), abs(place.y + drift.y * pair.drift - pair.to.y))
                }.max() ?? 0
        }
    }

    /// The affine map that fits the pairs best, by least squares; nil for fewer than three pairs, or if all lie on a
    /// line.
    static func affine(_ pairs: [Pair], drifts: Bool) -> Fit? {
        guard pairs.count >= 3 else { return nil }
        let rows = pairs.map { [$0.from.x, $0.from.y, 1] + (drifts ? [$0.drift] : []) }
        guard let across = solution(of: rows, pairs.map(\.to.x)), let down = solution(of: rows, pairs.map(\.to.y)) else {
            return nil
        }
        return Fit(across[..<3] + down[..<3] + [0, 0, 1], pairs, drift: drifts ? (across[3], down[3]) : (0, 0))
    }

    /// The projective map that fits the pairs best (Hartley and Zisserman, Multiple View Geometry, 4.1); nil for fewer
    /// than five pairs.
    static func projective(_ pairs: [Pair], drifts: Bool) -> Fit? {
        guard pairs.count >= 5 else { return nil }
        var rows: [[Double]] = []
        var values: [Double] = []
        // Coordinates are relative to the mean of the images, for numerical stability.
        let middleX = pairs.reduce(0) { $0 + $1.to.x } / Double(pairs.count)
        let middleY = pairs.reduce(0) { $0 + $1.to.y } / Double(pairs.count)
        for pair in pairs {
            let (x, y, u, v) = (pair.from.x, pair.from.y, pair.to.x - middleX, pair.to.y - middleY)
            let (across, down) = drifts ? ([pair.drift, 0], [0, pair.drift]) : ([], [])
            rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y] + across, [0, 0, 0, x, y, 1, -v * x, -v * y] + down]
            values += [u, v]
        }
        guard let found = solution(of: rows, values) else { return nil }
        let depth = [found[6], found[7], 1]
        return Fit(
            (0..<3).map { found[$0] + middleX * depth[$0] } + (0..<3).map { found[3 + $0] + middleY * depth[$0] } + depth, pairs,
            drift: drifts ? (found[8], found[9]) : (0, 0))
    }

    /// Solves a least squares problem by its normal equations and elimination with pivots.
    private static func solution(of rows: [[Double]], _ values: [Double]) -> [Double]? {
        let count = rows[0].count
        var matrix = (0..<count).map { i in
            (0..<count).map { j in rows.reduce(0) { $0 + $1[i] * $1[j] } } + [zip(rows, values).reduce(0) { $0 + $1.0[i] * $1.1 }]
        }
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(matrix[$0][column]) < abs(matrix[$1][column]) }),
                abs(matrix[pivot][column]) > 1e-9
            else { return nil }
            matrix.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = matrix[row][column] / matrix[column][column]
                for place in column...count { matrix[row][place] -= factor * matrix[column][place] }
            }
        }
        return (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
    }
}
