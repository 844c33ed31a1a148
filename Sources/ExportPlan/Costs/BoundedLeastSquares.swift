/// A symmetric matrix of a few rows.
package struct SymmetricMatrix: Hashable, Sendable {
    package let size: Int
    /// The rows of the lower triangle, one after the other: `size * (size + 1) / 2` entries.
    package private(set) var entries: [Double]

    package init(size: Int) {
        self.size = size
        entries = Array(repeating: 0, count: size * (size + 1) / 2)
    }

    /// - Returns: nil for another number of entries than the size has.
    package init?(size: Int, entries: [Double]) {
        guard size >= 0, entries.count == size * (size + 1) / 2 else { return nil }
        self.size = size
        self.entries = entries
    }

    package subscript(row: Int, column: Int) -> Double {
        get { entries[SymmetricMatrix.place(row, column)] }
        set { entries[SymmetricMatrix.place(row, column)] = newValue }
    }

    private static func place(_ row: Int, _ column: Int) -> Int {
        row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row
    }

    /// Multiplies every entry.
    mutating func scale(by factor: Double) {
        for place in entries.indices { entries[place] *= factor }
    }

    /// Adds the outer product of a vector with itself.
    mutating func addSquare(of vector: [Double]) {
        for row in 0..<size {
            for column in 0...row { self[row, column] += vector[row] * vector[column] }
        }
    }
}

/// Least squares whose solution stays within bounds, for a few unknowns.
package enum BoundedLeastSquares {
    /// The point within the bounds where `x' M x / 2 - v' x` is least, by cyclic coordinate descent: each coordinate in
    /// turn goes to its best value within the bounds, until none moves any more. For a positive definite matrix that
    /// converges to the only solution (D. P. Bertsekas, "Nonlinear Programming", section 2.7). The
    /// result lies within the bounds for all numbers.
    /// - Parameters:
    ///   - matrix: M, whose diagonal is above zero.
    ///   - vector: v, with as many entries as the matrix has rows.
    ///   - start: where the search begins; the nearer, the faster.
    package static func minimum(
        _ matrix: SymmetricMatrix, _ vector: [Double], within bounds: ClosedRange<Double>, from start: [Double]
    ) -> [Double] {
        var point = start.map { min(max($0, bounds.lowerBound), bounds.upperBound) }
        for _ in 0..<mostSweeps {
            var change = 0.0
            for row in 0..<matrix.size {
                var rest = vector[row]
                for column in 0..<matrix.size where column != row { rest -= matrix[row, column] * point[column] }
                let best = min(max(rest / matrix[row, row], bounds.lowerBound), bounds.upperBound)
                change = max(change, abs(best - point[row]))
                point[row] = best
            }
            if change < precision { break }
        }
        return point
    }

    /// Sweeps after which the search ends in any case.
    private static let mostSweeps = 2000
    /// The search ends when no coordinate moves further than this in a sweep.
    private static let precision = 1e-10
}
