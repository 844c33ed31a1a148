import ExportPlan
package import FarmAPI

/// How much of the farm a tenant may take at a time. Both stores ask it, in the transaction that accepts something. A quota
/// that is lowered takes nothing away; it lets nothing new in.
package struct TenantQuota: Hashable, Sendable {
    /// The tenant's name.
    private let tenant: String
    private let maxOpenExports: Int?
    private let maxAssetBytes: Int64?

    package init(_ tenant: Tenant) {
        self.init(tenant: tenant.name, maxOpenExports: tenant.maxOpenExports, maxAssetBytes: tenant.maxAssetBytes)
    }

    package init(tenant: String, maxOpenExports: Int?, maxAssetBytes: Int64?) {
        self.tenant = tenant
        self.maxOpenExports = maxOpenExports
        self.maxAssetBytes = maxAssetBytes
    }

    /// Checks whether one more export may be accepted.
    /// - Parameter open: how many of its exports are not over.
    /// - Throws: `FarmError` `quota`.
    package func check(openExports open: Int) throws {
        guard let maxOpenExports, open >= maxOpenExports else { return }
        throw FarmError(
            .quota,
            "the tenant '\(tenant)' has \(open) exports that are not over, and may have \(maxOpenExports); wait until one has "
                + "ended, or ask an operator")
    }

    /// How many more exports may be accepted; nil for no limit.
    func room(openExports open: Int) -> Int? { maxOpenExports.map { max(0, $0 - open) } }

    /// Checks whether an asset may be stored.
    /// - Parameters:
    ///   - bytes: its size.
    ///   - stored: how many bytes of assets the tenant has.
    /// - Throws: `FarmError` `forbidden`, because waiting does not help.
    package func check(assetBytes bytes: Int64, stored: Int64) throws {
        guard let maxAssetBytes, stored + bytes > maxAssetBytes else { return }
        throw FarmError(
            .forbidden,
            "the tenant '\(tenant)' has \(stored) bytes of assets, and may have \(maxAssetBytes); remove assets that are not "
                + "needed, or ask an operator")
    }
}
