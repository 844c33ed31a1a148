package import ExportPlan
package import FoundationEssentials

/// What a farm has learned of the times that the jobs of one class take on the machines of one class.
package struct CostModelReport: Hashable, Sendable, Codable {
    /// The class of the machines; `unknown` for workers that do not say, `other` for classes beyond the greatest number.
    package var machine: String
    package var kind: JobKind
    /// The codec that jobs of the kind encode with; nil where they encode no pictures.
    package var codec: String?
    /// The number of jobs learned from.
    package var jobs: Int
    /// How many times as long as by the built-in coefficients the jobs take, on average; later jobs count more.
    package var ratio: Double
    /// By which part predictions were off, on average: 0.1 means a tenth. Later jobs count more.
    package var error: Double
    /// The seconds of one slot for a unit of each feature (docs/cost-model.md), by the feature's name.
    package var seconds: [String: Double]
    package var updatedAt: Date

    /// - Parameter fit: a fit of the class.
    package init(machine: String, costClass: CostClass, fit: CostFit, updatedAt: Date) {
        self.machine = machine
        kind = costClass.kind
        codec = costClass.codecName
        jobs = fit.jobs
        ratio = fit.meanRatio
        error = fit.error
        var model = CostModel()
        model.adopt(fit, for: costClass)
        let coefficients = model.table.coefficients(of: costClass)
        seconds = Dictionary(
            zip(costClass.kind.features.map(\.rawValue), coefficients), uniquingKeysWith: { first, _ in first })
        self.updatedAt = updatedAt
    }
}
