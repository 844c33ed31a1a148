import ExportPlan
import TestSupport
import Testing
import FoundationEssentials

@Suite("The fit of a cost model")
struct CostFitTests {
    /// Jobs of random shares, on a machine whose features take other multiples of the built-in time.
    private struct Machine {
        var numbers: RandomNumbers
        let factors: [Double]
        /// Measured times are wrong by up to this part of them.
        var noise = 0.1
        /// The part of the jobs that take a hundred times as long.
        var outliers = 0.0

        init(_ factors: [Double], seed: UInt64) {
            numbers = RandomNumbers(seed: seed)
            self.factors = factors
        }

        mutating func job() -> (shares: [Double], ratio: Double, exact: Double) {
            let amounts = factors.indices.map { _ in Double.random(in: 0...1, using: &numbers) }
            let shares = amounts.map { $0 / amounts.reduce(0, +) }
            let exact = zip(shares, factors).reduce(0) { $0 + $1.0 * $1.1 }
            let wrong = exact * (1 + Double.random(in: -noise...noise, using: &numbers))
            return (shares, Double.random(in: 0..<1, using: &numbers) < outliers ? wrong * 100 : wrong, exact)
        }
    }

    private func predicted(_ fit: CostFit, _ shares: [Double]) -> Double {
        zip(shares, fit.factors).reduce(0) { $0 + $1.0 * $1.1 }
    }

    @Test("Before the first job all factors are 1")
    func nothing() {
        let fit = CostFit(size: 3)
        #expect(fit.factors == [1, 1, 1] && fit.jobs == 0 && fit.meanRatio == 1 && fit.error == 0)
    }

    @Test(
        "Three jobs of a machine of another speed bring predictions within a third of what it takes",
        arguments: [0.3, 0.5, 2, 3])
    func few(_ ratio: Double) {
        var fit = CostFit(size: 3)
        for _ in 0..<3 { fit.learn(shares: [0.2, 0.5, 0.3], ratio: ratio) }
        let found = predicted(fit, [0.2, 0.5, 0.3]) / ratio
        #expect(found > 0.66 && found < 1.5, "\(fit.factors)")
        #expect(fit.jobs == 3)
    }

    @Test("Features that a job does not have follow the machine's speed, but less")
    func others() {
        var fit = CostFit(size: 2)
        for _ in 0..<50 { fit.learn(shares: [1, 0], ratio: 4) }
        #expect(fit.factors[0] > 3.7 && fit.factors[0] < 4)
        #expect(fit.factors[1] > 2 && fit.factors[1] < fit.factors[0])
    }

    @Test("The factors of a machine are found from noisy measurements", arguments: 1...10)
    func recovery(_ seed: Int) {
        var machine = Machine([2, 0.5, 3], seed: UInt64(seed))
        var fit = CostFit(size: 3)
        for _ in 0..<400 {
            let job = machine.job()
            fit.learn(shares: job.shares, ratio: job.ratio)
        }
        var error = 0.0
        for _ in 0..<50 {
            let job = machine.job()
            error += abs(predicted(fit, job.shares) / job.exact - 1) / 50
        }
        #expect(error < 0.2 && fit.error < 0.2, "\(fit.factors)")
    }

    @Test("One job in fifty that takes a hundred times as long raises predictions by a fifth at most", arguments: 1...10)
    func outliers(_ seed: Int) {
        var machine = Machine([1, 1, 1], seed: UInt64(seed))
        machine.outliers = 0.02
        var fit = CostFit(size: 3)
        var sum = 0.0
        for count in 0..<600 {
            let job = machine.job()
            fit.learn(shares: job.shares, ratio: job.ratio)
            if count >= 100 { sum += predicted(fit, job.shares) }
        }
        #expect(sum / 500 < 1.2 && sum / 500 > 0.9, "\(sum / 500)")
    }

    @Test("A machine that becomes faster or slower is followed", arguments: [(1.0, 3.0), (3, 1), (1, 0.3), (0.3, 1)])
    func change(_ before: Double, _ after: Double) {
        var fit = CostFit(size: 3)
        for _ in 0..<300 { fit.learn(shares: [0.2, 0.5, 0.3], ratio: before) }
        for _ in 0..<500 { fit.learn(shares: [0.2, 0.5, 0.3], ratio: after) }
        let found = predicted(fit, [0.2, 0.5, 0.3]) / after
        #expect(found > 0.8 && found < 1.25, "\(fit.factors)")
    }

    @Test("The factors minimise the squared errors and both pulls, as an exhaustive search finds them", arguments: 1...20)
    func witness(_ seed: Int) {
        var machine = Machine([0.4, 2.5, 1], seed: UInt64(seed))
        machine.noise = 0.5
        machine.outliers = 0.1
        var fit = CostFit(size: 3)
        var jobs: [(shares: [Double], counted: Double, weight: Double)] = []
        for _ in 0..<30 {
            let job = machine.job()
            let expected = predicted(fit, job.shares)
            let most = CostFit.mostSurprise
            let counted = min(max(min(max(job.ratio, expected / most), expected * most), 0.02), 50)
            let emphasis = min(max(1 / expected, 1), CostFit.mostEmphasis)
            jobs = jobs.map { ($0.shares, $0.counted, $0.weight * (1 - 1 / CostFit.memory)) }
            jobs.append((job.shares, counted, emphasis * emphasis))
            fit.learn(shares: job.shares, ratio: job.ratio)
        }
        // The unknowns are the factors and, as the last one, the common factor that they are pulled towards.
        var matrix = [[Double]](repeating: [0, 0, 0, 0], count: 4)
        var vector = [0.0, 0, 0, 0]
        for (shares, counted, weight) in jobs {
            for row in 0..<3 {
                vector[row] += weight * shares[row] * counted
                for column in 0..<3 { matrix[row][column] += weight * shares[row] * shares[column] }
            }
        }
        for row in 0..<3 {
            matrix[row][row] += CostFit.ownPull
            matrix[row][3] -= CostFit.ownPull
            matrix[3][row] -= CostFit.ownPull
            matrix[3][3] += CostFit.ownPull
        }
        matrix[3][3] += CostFit.commonPull
        vector[3] += CostFit.commonPull
        let bounds = Array(repeating: CostFit.bounds, count: 3) + [-1000...1000]
        let expected = ActiveSetSearch(matrix, vector, bounds: bounds).best
        for (one, other) in zip(fit.factors, expected) { #expect(abs(one - other) < 1e-5, "\(fit.factors), \(expected)") }
    }

    @Test("Whatever is measured, factors are finite and within their bounds", arguments: 1...50)
    func hostile(_ seed: Int) {
        var numbers = RandomNumbers(seed: UInt64(seed))
        var fit = CostFit(size: 4)
        for _ in 0..<300 {
            let amounts = (0..<4).map { _ in Bool.random(using: &numbers) ? 0 : Double.random(in: 0...1, using: &numbers) }
            let sum = amounts.reduce(0, +)
            let exponent = Double.random(in: -300...300, using: &numbers)
            fit.learn(shares: amounts.map { sum > 0 ? $0 / sum : 0.25 }, ratio: power(exponent))
            #expect(fit.factors.allSatisfy(CostFit.bounds.contains), "\(fit.factors)")
        }
        #expect(fit.error.isFinite && fit.error >= 0 && fit.meanRatio > 0 && fit.meanRatio <= 50)
    }

    private func power(_ exponent: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(abs(exponent)) { result *= exponent < 0 ? 0.1 : 10 }
        return result
    }

    @Test("What no job can be teaches nothing")
    func senseless() {
        var fit = CostFit(size: 2)
        fit.learn(shares: [0.5, 0.5], ratio: 2)
        let before = fit
        let senseless: [[Double]] = [[0.5], [0.5, 0.5, 0], [0.5, 0.6], [-0.5, 1.5], [.nan, 1], [0, 0]]
        for shares in senseless { fit.learn(shares: shares, ratio: 2) }
        let ratios: [Double] = [0, -1, .nan, .infinity, -.infinity]
        for ratio in ratios { fit.learn(shares: [0.5, 0.5], ratio: ratio) }
        #expect(fit == before)
    }

    @Test("A stored fit goes on as it was")
    func stored() throws {
        var machine = Machine([2, 0.5, 3], seed: 5)
        var fit = CostFit(size: 3)
        for _ in 0..<40 {
            let job = machine.job()
            fit.learn(shares: job.shares, ratio: job.ratio)
        }
        let copy = try JSONDecoder().decode(CostFit.self, from: try JSONEncoder().encode(fit))
        #expect(copy.jobs == 40 && copy.meanRatio == fit.meanRatio && copy.error == fit.error)
        for (one, other) in zip(copy.factors, fit.factors) { #expect(abs(one - other) < 1e-6) }
    }

    @Test(
        "A stored fit that no jobs can have made is refused",
        arguments: [
            #"{"version":99,"products":[1],"targets":[1],"jobs":1,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[1,1],"targets":[1],"jobs":1,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[-1],"targets":[1],"jobs":1,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"targets":[1000],"jobs":1,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"targets":[1],"jobs":-1,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"targets":[1],"jobs":9223372036854775807,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"targets":[1],"jobs":1,"weight":-1,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"targets":[1],"jobs":1,"weight":1e9,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"targets":[1],"jobs":1,"weight":1,"meanLogError":-3}"#,
            #"{"version":1,"products":[],"targets":[],"jobs":1,"weight":1,"meanLogError":0}"#,
            #"{"version":1,"products":[1],"jobs":1,"weight":1,"meanLogError":0}"#, "[]",
        ])
    func refused(_ json: String) throws {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(CostFit.self, from: Data(json.utf8)) }
        let valid = #"{"version":1,"products":[1],"targets":[1],"jobs":1,"weight":1,"meanLogError":0}"#
        let factors = try JSONDecoder().decode(CostFit.self, from: Data(valid.utf8)).factors
        #expect(factors.count == 1 && abs(factors[0] - 1) < 1e-9)
    }
}
