/// A caller whose token has been checked.
package struct Caller: Hashable, Sendable {
    /// The tenant that owns what the caller submits.
    package var tenant: Int64
    /// Whether the caller may see and change everything, of all tenants.
    package var isOperator: Bool

    package init(tenant: Int64, isOperator: Bool) {
        self.tenant = tenant
        self.isOperator = isOperator
    }

    /// The tenant whose data the caller may see; nil means all tenants.
    package var visibleTenant: Int64? { isOperator ? nil : tenant }
}
