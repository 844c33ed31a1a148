import ExportPlan
import TestSupport
import Testing

@Suite("Bounded least squares")
struct BoundedLeastSquaresTests {
    private static let bounds = 0.02...50.0

    /// A matrix as sums of squares, which is positive definite, and a vector.
    private static func problem(_ seed: UInt64) -> (matrix: [[Double]], vector: [Double]) {
        var numbers = RandomNumbers(seed: seed)
        let size = Int.random(in: 1...4, using: &numbers)
        var matrix = (0..<size).map { row in (0..<size).map { $0 == row ? 0.5 : 0.0 } }
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
            let row = (0..<size).map { _ in Double.random(in: -1...2, using: &numbers) }
            for first in 0..<size {
                for second in 0..<size { matrix[first][second] += row[first] * row[second] }
            }
        }
        // Solutions far inside, outside and beside the bounds.
        let scales = [1.0, 10.0, 300.0]
        let scale = scales.randomElement(using: &numbers) ?? 1
        return (matrix, (0..<size).map { _ in Double.random(in: -scale...scale, using: &numbers) })
    }

    private func minimum(_ problem: (matrix: [[Double]], vector: [Double])) -> [Double] {
        var matrix = SymmetricMatrix(size: problem.vector.count)
        for row in problem.vector.indices {
            for column in 0...row { matrix[row, column] = problem.matrix[row][column] }
        }
        return BoundedLeastSquares.minimum(
            matrix, problem.vector, within: Self.bounds, from: Array(repeating: 1, count: problem.vector.count))
    }

    @Test("The solution is that of an exhaustive search over which unknowns lie on a bound", arguments: 1...200)
    func exhaustive(_ seed: Int) throws {
        let problem = Self.problem(UInt64(seed))
        let found = minimum(problem)
        let expected = ActiveSetSearch(problem.matrix, problem.vector, bounds: problem.vector.map { _ in Self.bounds }).best
        for (one, other) in zip(found, expected) { #expect(abs(one - other) < 1e-6, "\(found) is not \(expected)") }
    }

    @Test("Whatever the numbers are, the solution lies within the bounds", arguments: 1...100)
    func bounded(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed))
        let size = Int.random(in: 1...6, using: &numbers)
        var matrix = SymmetricMatrix(size: size)
        for row in 0..<size {
            for column in 0...row { matrix[row, column] = Double.random(in: -1e6...1e6, using: &numbers) }
            matrix[row, row] = Double.random(in: 1e-6...10, using: &numbers)
        }
        let vector = (0..<size).map { _ in Double.random(in: -1e9...1e9, using: &numbers) }
        let point = BoundedLeastSquares.minimum(
            matrix, vector, within: Self.bounds, from: Array(repeating: -7, count: size))
        #expect(point.count == size && point.allSatisfy(Self.bounds.contains), "\(point)")
    }
}

/// A slow solver for a few unknowns: it tries every choice of which unknowns lie on their lower bound, on their upper
/// bound and between them, solves for the others, and takes the best point that satisfies all bounds.
struct ActiveSetSearch {
    private(set) var best: [Double] = []
    private var least = Double.infinity

    /// - Parameters:
    ///   - matrix: a positive definite matrix by rows.
    ///   - bounds: the bounds of each unknown.
    init(_ matrix: [[Double]], _ vector: [Double], bounds: [ClosedRange<Double>]) {
        let size = vector.count
        var choices = [[Int]](repeating: [], count: 1)
        for _ in 0..<size { choices = choices.flatMap { choice in (0...2).map { choice + [$0] } } }
        for choice in choices {
            var point = (0..<size).map { choice[$0] == 0 ? bounds[$0].lowerBound : bounds[$0].upperBound }
            let free = (0..<size).filter { choice[$0] == 2 }
            let rest = free.map { row in
                vector[row] - (0..<size).filter { choice[$0] != 2 }.reduce(0) { $0 + matrix[row][$1] * point[$1] }
            }
            let solved = Self.solution(free.map { row in free.map { matrix[row][$0] } }, rest)
            for (place, row) in free.enumerated() { point[row] = solved[place] }
            guard zip(point, bounds).allSatisfy({ $1.contains($0) }) else { continue }
            var value = 0.0
            for row in 0..<size {
                value -= vector[row] * point[row]
                for column in 0..<size { value += matrix[row][column] * point[row] * point[column] / 2 }
            }
            if value < least { (least, best) = (value, point) }
        }
    }

    /// The solution of linear equations, by Gaussian elimination with pivoting.
    private static func solution(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        var rows = zip(matrix, vector).map { $0 + [$1] }
        for column in rows.indices {
            let pivot = rows.indices.dropFirst(column).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
            rows.swapAt(column, pivot)
            for row in rows.indices where row != column {
                let factor = rows[row][column] / rows[column][column]
                for place in rows[row].indices { rows[row][place] -= factor * rows[column][place] }
            }
        }
        return rows.indices.map { rows[$0][rows.count] / rows[$0][$0] }
    }
}
