/// The paths of a farm's files when its store is a directory that all its machines share.
///
///     assets/<tenant>/ab/abcdef...      uploaded sources, by sha256
///     tenants/<tenant>/...              a `DirectoryArtifactStore` for each tenant, which no other tenant can reuse
package struct FarmDirectory: Hashable, Sendable {
    package let root: String
    /// The id of the farm that the store has to belong to; nil where that is not known.
    package var farm: String?

    package init(_ root: String, farm: String? = nil) {
        self.root = root
        self.farm = farm
    }

    /// Whether a path is this directory or lies in it.
    package func contains(_ path: String) -> Bool { path == root || path.hasPrefix(root.hasSuffix("/") ? root : root + "/") }

    /// The artifact store's directory of a tenant.
    package func artifacts(ofTenant tenant: Int64) -> String { "\(tenants)/\(tenant)" }

    /// The directory of all tenants' artifact stores.
    package var tenants: String { "\(root)/tenants" }

    /// The directory of a tenant's assets.
    package func assets(ofTenant tenant: Int64) -> String { "\(root)/assets/\(tenant)" }

    /// The directory in which uploads are written until they are complete.
    package var uploads: String { "\(root)/assets/tmp" }

    /// An asset's file.
    /// - Parameter hash: 64 lowercase hexadecimal digits.
    package func asset(_ hash: String, ofTenant tenant: Int64) -> String {
        "\(assets(ofTenant: tenant))/\(hash.prefix(2))/\(hash)"
    }
}
