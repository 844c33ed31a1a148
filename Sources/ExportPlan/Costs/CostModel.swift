/// What was learned of one machine: a fit for each class of jobs that it has done.
package struct CostModel: Hashable, Sendable {
    package private(set) var fits: [CostClass: CostFit] = [:]

    package init() {}

    /// Learns from a job that succeeded.
    package mutating func learn(_ measurement: JobMeasurement) {
        let costClass = measurement.features.costClass
        let parts = zip(BuiltInCosts.coefficients(of: costClass), measurement.features.amounts).map(*)
        let predicted = parts.reduce(0, +)
        fits[costClass, default: CostFit(size: parts.count)].learn(
            shares: parts.map { $0 / predicted }, ratio: measurement.seconds / predicted)
    }

    /// Takes over a stored fit.
    /// - Returns: false, and nothing changes, when it is no fit of the class.
    @discardableResult
    package mutating func adopt(_ fit: CostFit, for costClass: CostClass) -> Bool {
        guard fit.size == costClass.kind.features.count else { return false }
        fits[costClass] = fit
        return true
    }

    /// The number of jobs learned from.
    package var jobs: Int { fits.values.reduce(0) { $0 + $1.jobs } }

    /// The coefficients for predictions; classes of which nothing was learned have the built-in ones.
    package var table: CostTable {
        CostTable(averaging: [self]) { _, _ in 1 }
    }
}

extension CostTable {
    /// The average of models: jobs whose machine is not known yet are predicted with it.
    /// - Parameters:
    ///   - models: models of machines. One that has learned nothing of a class does not count for that class.
    ///   - weight: the weight of the model at an index for a class, 0 or above. Where all weights are 0, models count by
    ///     the number of jobs that they have learned from.
    package init(averaging models: [CostModel], weight: (Int, CostClass) -> Double) {
        self.init()
        for costClass in Set(models.flatMap(\.fits.keys)) {
            var fits: [(fit: CostFit, weight: Double)] = []
            for (index, model) in models.enumerated() {
                guard let fit = model.fits[costClass] else { continue }
                fits.append((fit, max(0, weight(index, costClass))))
            }
            if fits.allSatisfy({ $0.weight == 0 }) { fits = fits.map { ($0.fit, Double($0.fit.jobs)) } }
            let total = fits.reduce(0) { $0 + $1.weight }
            guard total > 0 else { continue }
            var factors = Array(repeating: 0.0, count: costClass.kind.features.count)
            for (fit, weight) in fits {
                for place in factors.indices { factors[place] += fit.factors[place] * weight / total }
            }
            let bounds = CostFit.bounds
            scale(costClass, by: factors.map { min(max($0, bounds.lowerBound), bounds.upperBound) })
        }
    }
}

extension CostModel: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: fits.map { ($0.name, $1) }))
    }

    /// - Throws: `DecodingError` also for a model of another version, and for a fit that does not belong to its class.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        for (name, fit) in try container.decode([String: CostFit].self) {
            guard let costClass = CostClass(name: name), adopt(fit, for: costClass) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(name)' has no such fit")
            }
        }
    }
}
