import ExportPlan

/// What was learned of the times that jobs take, in memory.
extension MemoryFarmStore: CostModelStore {
    package func costModels() -> [StoredCostModel] {
        costRows.sorted { ($0.machine, $0.costClass.name) < ($1.machine, $1.costClass.name) }
    }

    package func saveCostModels(_ models: [StoredCostModel], forgetting machines: [String]) {
        costRows.removeAll { row in
            machines.contains(row.machine) || models.contains { ($0.machine, $0.costClass) == (row.machine, row.costClass) }
        }
        costRows += models
    }
}
