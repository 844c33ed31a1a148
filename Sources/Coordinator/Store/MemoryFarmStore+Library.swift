package import FarmAPI

/// Drafts and assets, in memory.
extension MemoryFarmStore: LibraryStore {
    package func putDraft(
        _ name: String, document: String, tenant: Int64, if condition: @Sendable (String?) throws -> Void
    ) throws -> DraftRevision {
        guard tenantExists(tenant) else { throw FarmError(.notFound, "there is no tenant \(tenant)") }
        try condition(draft(name, revision: nil, tenant: tenant)?.document)
        let revision = DraftRow.Revision(document: document, createdAt: clock())
        guard let place = placeOfDraft(name, tenant: tenant) else {
            draftRows.append(DraftRow(tenant: tenant, name: name, revisions: [revision]))
            return DraftRevision(name: name, revision: 1, createdAt: revision.createdAt)
        }
        if let newest = draftRows[place].revisions.last, newest.document == document {
            return DraftRevision(name: name, revision: draftRows[place].revisions.count, createdAt: newest.createdAt)
        }
        draftRows[place].revisions.append(revision)
        return DraftRevision(name: name, revision: draftRows[place].revisions.count, createdAt: revision.createdAt)
    }

    package func draft(_ name: String, revision: Int?, tenant: Int64) -> (revision: DraftRevision, document: String)? {
        guard let place = placeOfDraft(name, tenant: tenant) else { return nil }
        let revisions = draftRows[place].revisions
        let number = revision ?? revisions.count
        guard revisions.indices.contains(number - 1), !revisions[number - 1].isRemoved else { return nil }
        let found = revisions[number - 1]
        return (DraftRevision(name: name, revision: number, createdAt: found.createdAt), found.document)
    }

    package func drafts(tenant: Int64, after name: String?, limit: Int) -> [DraftRevision] {
        let drafts = draftRows.filter { $0.tenant == tenant }.compactMap { row -> DraftRevision? in
            guard let name = row.name, let newest = row.revisions.last else { return nil }
            return DraftRevision(name: name, revision: row.revisions.count, createdAt: newest.createdAt)
        }
        return Array(drafts.filter { $0.name > name ?? "" }.sorted { $0.name < $1.name }.prefix(limit))
    }

    package func draftRevisions(
        _ name: String, tenant: Int64, before revision: Int?, limit: Int
    ) -> [DraftRevisionReport] {
        guard let place = placeOfDraft(name, tenant: tenant) else { return [] }
        let made = exportRows.filter { $0.draft.place == place && !$0.isRemoved }
        let kept = draftRows[place].revisions.enumerated().filter { offset, row in
            !row.isRemoved && (revision.map { offset + 1 < $0 } ?? true)
        }
        return kept.reversed().prefix(limit).map { offset, row in
            let exports = made.filter { $0.draft.revision == offset }.map(\.export).sorted { $0.number > $1.number }
            return DraftRevisionReport(
                name: name, revision: offset + 1, createdAt: row.createdAt, byteCount: Int64(row.document.utf8.count),
                exportCount: exports.count,
                newestExports: exports.prefix(DraftRevisionReport.namedExports).map(\.id))
        }
    }

    /// Putting an asset again changes nothing, not even its name; it is a use of the asset.
    package func putAsset(_ asset: Asset, tenant: Int64) throws {
        guard tenantExists(tenant) else { throw FarmError(.notFound, "there is no tenant \(tenant)") }
        guard TextCheck.isHash(asset.hash), asset.byteCount >= 0 else {
            throw FarmError(.invalid, "'\(asset.hash)' is not the sha256 of an asset, or its size is negative")
        }
        guard self.asset(asset.hash, tenant: tenant) == nil else { return }
        try checkRoom(forAssetOf: asset.byteCount, tenant: tenant)
        assetRows.append(AssetRow(tenant: tenant, asset: asset, usedAt: clock()))
    }

    package func checkRoom(forAssetOf bytes: Int64, tenant: Int64) throws {
        guard let owner = tenantRows.first(where: { $0.id == tenant }) else { return }
        let stored = assetRows.filter { $0.tenant == tenant }.reduce(0) { $0 + $1.asset.byteCount }
        try TenantQuota(owner).check(assetBytes: bytes, stored: stored)
    }

    package func asset(_ hash: String, tenant: Int64) -> Asset? {
        guard let place = assetRows.firstIndex(where: { $0.tenant == tenant && $0.asset.hash == hash }) else { return nil }
        // The caller is about to use the asset, so it must not be removed for its age.
        assetRows[place].usedAt = clock()
        return assetRows[place].asset
    }

    package func assets(tenant: Int64, after place: ListingPlace?, limit: Int) -> [Asset] {
        let found = assetRows.filter { $0.tenant == tenant && place?.isBefore($0.asset.place) ?? true }
        return Array(found.map(\.asset).sorted { $0.place.isBefore($1.place) }.prefix(limit))
    }

    func placeOfDraft(_ name: String, tenant: Int64) -> Int? {
        draftRows.firstIndex { $0.tenant == tenant && $0.name == name }
    }
}

extension Asset {
    /// Its place in listings.
    fileprivate var place: ListingPlace { ListingPlace(createdAt: createdAt, id: hash) }
}
