import Glibc

/// What was learned of the jobs of one class on one machine: factors by which the built-in coefficients are multiplied.
///
/// A job is described by its shares, which are the parts of its built-in prediction that each feature has (their sum is
/// 1), and by its ratio, measured over predicted seconds. The ratio is predicted as the sum of share times factor. The
/// factors are those with the least squared error of the ratio, so that short and long jobs count alike. They are pulled
/// towards one common factor, which is the machine's speed, and that one is pulled towards 1, so that any number of jobs
/// gives an answer. They are bounded, and so is every prediction.
///
/// Only sums over the jobs are kept, and each job makes the earlier ones count a little less: recursive least squares
/// with exponential forgetting (L. Ljung, "System Identification", section 11.2), regularised and bounded.
package struct CostFit: Hashable, Sendable {
    /// The bounds of the factors: no prediction is further from the built-in one than a factor of 50.
    package static let bounds = 0.02...50.0
    /// The number of jobs after which an earlier job counts 1/e of a new one.
    package static let memory = 100.0
    /// A job counts at most as this many times as long, or as short, as it was predicted at the time. One job that hung,
    /// or a worker that reports nonsense, then moves the fit by little; a machine of another speed is followed in steps.
    package static let mostSurprise = 4.0
    /// Where jobs are predicted to take less time than by the built-in coefficients, their errors count as parts of the
    /// prediction, so that a fast machine is fitted as well as a slow one; down to 1 divided by this.
    package static let mostEmphasis = 4.0
    /// How many jobs the pull of the common factor towards 1 amounts to.
    package static let commonPull = 1.0
    /// How many jobs of nothing but one feature the pull of its factor towards the common one amounts to.
    package static let ownPull = 4.0

    /// The sum of the weighted products of each two shares, with earlier jobs counting less.
    private var products: SymmetricMatrix
    /// The weighted sum of share times ratio, in the same manner.
    private var targets: [Double]
    /// The number of jobs learned from.
    package private(set) var jobs = 0
    /// The sum of the jobs' weights, in the same manner.
    private var weight = 0.0
    /// The mean distance of predictions from measurements, as a natural logarithm of their ratio: 0.1 means that they
    /// were off by about a tenth. Later jobs count more.
    package private(set) var meanLogError = 0.0
    /// The factors in the order of `JobKind.features`, each within `bounds`.
    package private(set) var factors: [Double]

    /// A fit that has learned nothing: all factors are 1.
    package init(size: Int) {
        products = SymmetricMatrix(size: size)
        targets = Array(repeating: 0, count: size)
        factors = Array(repeating: 1, count: size)
    }

    package var size: Int { factors.count }

    /// The mean of the jobs' ratios, as far as they counted: how many times as long as by the built-in coefficients jobs
    /// of the class take here. 1 before the first.
    package var meanRatio: Double { weight > 0 ? targets.reduce(0, +) / weight : 1 }

    /// By which part predictions were off: 0.1 means a tenth.
    package var error: Double { exp(meanLogError) - 1 }

    /// Learns from a job.
    /// - Parameters:
    ///   - shares: 0...1, with the sum 1; as many as there are features. Others teach nothing.
    ///   - ratio: measured over predicted seconds, above zero. Others teach nothing.
    package mutating func learn(shares: [Double], ratio: Double) {
        guard shares.count == size, shares.allSatisfy((0...1).contains), abs(shares.reduce(0, +) - 1) < 1e-6, ratio > 0,
            ratio.isFinite
        else { return }
        let predicted = zip(shares, factors).reduce(0) { $0 + $1.0 * $1.1 }
        let surprise = min(max(ratio / predicted, 1 / CostFit.mostSurprise), CostFit.mostSurprise)
        let counted = min(max(predicted * surprise, CostFit.bounds.lowerBound), CostFit.bounds.upperBound)
        jobs += 1
        // The first jobs weigh alike; later the error follows the last fifty.
        meanLogError += (min(abs(log(ratio / predicted)), CostFit.mostError) - meanLogError) / Double(min(jobs, 50))
        let kept = 1 - 1 / CostFit.memory
        let emphasis = min(max(1 / predicted, 1), CostFit.mostEmphasis)
        products.scale(by: kept)
        products.addSquare(of: shares.map { $0 * emphasis })
        for place in targets.indices {
            targets[place] = targets[place] * kept + shares[place] * counted * emphasis * emphasis
        }
        weight = weight * kept + emphasis * emphasis
        factors = solution(from: factors)
    }

    /// More jobs than any machine does.
    private static let mostJobs = 1_000_000_000_000
    /// More than the weights of jobs without end amount to.
    private static let mostWeight = (memory + 1) * mostEmphasis * mostEmphasis
    /// The error that counts for a prediction that was off by more.
    private static let mostError = log(50.0)

    /// The factors that fit best.
    ///
    /// The pulls add `own * sum((x_i - c)^2) + common * (c - 1)^2` to the squared errors, with the common factor `c` that
    /// makes this least: `c = (own * sum(x_i) + common) / (own * n + common)`.
    private func solution(from start: [Double]) -> [Double] {
        let (own, common) = (CostFit.ownPull, CostFit.commonPull)
        let all = own * Double(size) + common
        var matrix = products
        for row in 0..<size {
            for column in 0...row { matrix[row, column] -= own * own / all }
            matrix[row, row] += own
        }
        let vector = targets.map { $0 + own * common / all }
        return BoundedLeastSquares.minimum(matrix, vector, within: CostFit.bounds, from: start)
    }
}

extension CostFit: Codable {
    private enum CodingKeys: String, CodingKey { case version, products, targets, jobs, weight, meanLogError }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(JobFeatures.version, forKey: .version)
        try container.encode(products.entries, forKey: .products)
        try container.encode(targets, forKey: .targets)
        try container.encode(jobs, forKey: .jobs)
        try container.encode(weight, forKey: .weight)
        try container.encode(meanLogError, forKey: .meanLogError)
    }

    /// The factors are found again, so that damaged ones are never believed.
    /// - Throws: `DecodingError` also for a fit to features of another version, and for sums that no jobs have.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let version = try container.decode(Int.self, forKey: .version)
        let entries = try container.decode([Double].self, forKey: .products)
        targets = try container.decode([Double].self, forKey: .targets)
        jobs = try container.decode(Int.self, forKey: .jobs)
        weight = try container.decode(Double.self, forKey: .weight)
        meanLogError = try container.decode(Double.self, forKey: .meanLogError)
        factors = Array(repeating: 1, count: targets.count)
        let sizes = 1...JobFeature.allCases.count
        guard version == JobFeatures.version, sizes.contains(targets.count),
            let matrix = SymmetricMatrix(size: targets.count, entries: entries), (0...CostFit.mostJobs).contains(jobs),
            (0...CostFit.mostWeight).contains(weight), (0...CostFit.mostError).contains(meanLogError),
            // A share is 1 at most, and so no sum is above that of the weights.
            entries.allSatisfy((0...weight * 1.001).contains),
            targets.allSatisfy((0...weight * 1.001 * CostFit.bounds.upperBound).contains)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .products, in: container, debugDescription: "this is no fit of version \(JobFeatures.version)")
        }
        products = matrix
        factors = solution(from: factors)
    }
}
