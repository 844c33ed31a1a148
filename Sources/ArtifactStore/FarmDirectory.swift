/// Where a farm's bytes lie when its blob store is a directory that all its machines share.
///
///     assets/<tenant>/ab/abcdef...      uploaded sources, by sha256
///     tenants/<tenant>/...              a `DirectoryArtifactStore` for each tenant: a reuse tells nobody else anything
public struct FarmDirectory: Hashable, Sendable {
    public let root: String

    public init(_ root: String) {
        self.root = root
    }

    /// The artifact store's directory of a tenant.
    public func artifacts(ofTenant tenant: Int64) -> String { "\(tenants)/\(tenant)" }

    /// The directory of all tenants' artifact stores.
    public var tenants: String { "\(root)/tenants" }

    /// The directory of a tenant's assets.
    public func assets(ofTenant tenant: Int64) -> String { "\(root)/assets/\(tenant)" }

    /// Where uploads are written until they are whole.
    public var uploads: String { "\(root)/assets/tmp" }

    /// An asset's file.
    /// - Parameter hash: 64 lowercase hexadecimal digits.
    public func asset(_ hash: String, ofTenant tenant: Int64) -> String {
        "\(assets(ofTenant: tenant))/\(hash.prefix(2))/\(hash)"
    }
}
