import ExportPlan
import Postgres
import FoundationEssentials

extension PostgresFarmStore {
    package func costModels() async throws -> [StoredCostModel] {
        try await query(
            """
            SELECT machine, job_class, fit, updated_at FROM cost_models ORDER BY machine COLLATE "C", job_class COLLATE "C"
            """
        ).compactMap { try? $0.costModel() }  // of another version: it is learned anew
    }

    package func saveCostModels(_ models: [StoredCostModel], forgetting machines: [String]) async throws {
        try await transaction { transaction in
            if !machines.isEmpty {
                try await transaction.execute("DELETE FROM cost_models WHERE machine = ANY($1)", [.textArray(machines)])
            }
            for model in models {
                try await transaction.execute(
                    """
                    INSERT INTO cost_models (machine, job_class, fit, updated_at) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (machine, job_class) DO UPDATE SET fit = excluded.fit, updated_at = excluded.updated_at
                    """,
                    [
                        .text(model.machine), .text(model.costClass.name), try PostgresFarmStore.json(model.fit),
                        .timestamp(model.updatedAt),
                    ])
            }
        }
    }
}

extension PostgresRow {
    fileprivate func costModel() throws -> StoredCostModel {
        let name = try get("job_class", as: String.self)
        let fit = try PostgresFarmStore.fromJSON(CostFit.self, try get("fit"))
        guard let costClass = CostClass(name: name), fit.size == costClass.kind.features.count else {
            throw FarmError(.internalError, "'\(name)' has no such fit")
        }
        return StoredCostModel(machine: try get("machine"), costClass: costClass, fit: fit, updatedAt: try get("updated_at"))
    }
}
