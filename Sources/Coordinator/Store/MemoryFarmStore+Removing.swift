import ExportPlan
package import FarmAPI
import FoundationEssentials

/// What clients remove, in memory.
extension MemoryFarmStore {
    package func removeDraft(
        _ name: String, tenant: Int64, if condition: @Sendable (String?) throws -> Void
    ) throws {
        guard let place = placeOfDraft(name, tenant: tenant) else {
            throw FarmError(.notFound, "there is no draft '\(name)'")
        }
        try condition(draft(name, revision: nil, tenant: tenant)?.document)
        draftRows[place].name = nil
    }

    package func removeAsset(_ hash: String, tenant: Int64) throws {
        guard let place = assetRows.firstIndex(where: { $0.tenant == tenant && $0.asset.hash == hash }) else {
            throw FarmError(.notFound, "the farm has no asset '\(hash)'")
        }
        let need = assetRecords([hash], tenant: tenant, FileCutoffs())[hash]?.need
        let isNamed = exportRows.contains { row in
            row.export.tenant == tenant && (row.export.state == .submitted || row.export.state == .probing)
                && row.parameters.values.contains { $0.contains(hash) }
        }
        guard need == nil, !isNamed else { throw FarmError.assetIsNeeded(hash) }
        assetRows.remove(at: place)
    }

    package func setPriority(_ priority: Int, of id: ExportID, mayExceedCap: Bool) throws {
        guard let place = exportPlaces[id] else { throw FarmError(.notFound, "there is no export \(id)") }
        let export = exportRows[place].export
        guard let tenant = tenantRows.first(where: { $0.id == export.tenant }) else {
            throw FarmError(.internalError, "there is no tenant \(export.tenant)")
        }
        try PriorityCap(tenant: tenant.name, cap: tenant.priorityCap).check(priority, mayExceedCap: mayExceedCap)
        guard PriorityCap.openStates.contains(export.state) else { throw FarmError.isOver(id, export.state) }
        exportRows[place].export.priority = priority
        changes.exports.insert(id)
    }

    package func removeExport(_ id: ExportID) throws {
        guard let place = exportPlaces[id] else { throw FarmError(.notFound, "there is no export \(id)") }
        let state = exportRows[place].export.state
        guard state.isTerminal else { throw FarmError.isNotOver(id, state) }
        drop(place)
    }

    package func removeFilm(of id: ExportID) throws {
        guard let place = exportPlaces[id] else { throw FarmError(.notFound, "there is no export \(id)") }
        let export = exportRows[place].export
        try FarmError.checkFilm(
            of: id, export.state, removedAt: export.filmRemovedAt, publicationRows[id]?.publication.state)
        exportRows[place].export.filmRemovedAt = clock()
    }
}
