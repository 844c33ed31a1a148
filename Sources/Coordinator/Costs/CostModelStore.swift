package import ExportPlan
package import FoundationEssentials

/// What was learned of the times that jobs take. It is only an aid: without it jobs are predicted with the built-in
/// coefficients, and everything else is as before.
package protocol CostModelStore: Sendable {
    /// All fits, in the order of machines and classes. Fits that another version stored, or that make no sense, are left
    /// out.
    func costModels() async throws -> [StoredCostModel]
    /// Removes all fits of machines, and then stores others.
    /// - Parameters:
    ///   - models: a fit that is stored for the same machine and class is replaced.
    ///   - machines: the names of the machines that are forgotten.
    func saveCostModels(_ models: [StoredCostModel], forgetting machines: [String]) async throws
}

/// What was learned of the jobs of one class on the machines of one class.
package struct StoredCostModel: Hashable, Sendable {
    /// The class of the machines, 1...128 characters.
    package var machine: String
    package var costClass: CostClass
    package var fit: CostFit
    /// When the last job was learned from, or up to the interval of storing later.
    package var updatedAt: Date

    package init(machine: String, costClass: CostClass, fit: CostFit, updatedAt: Date) {
        self.machine = machine
        self.costClass = costClass
        self.fit = fit
        self.updatedAt = updatedAt
    }
}
