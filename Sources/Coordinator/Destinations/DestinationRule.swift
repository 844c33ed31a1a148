/// The destinations that exports may name, by the setting `destination`, and which tenants may name them. Where they are
/// and which keys they need is in a file of the operator (`Deliveries/Destinations`), never in a draft.
package struct DestinationRule: Hashable, Sendable {
    /// The names of the tenants that may use a destination, by its name; nil for all tenants.
    private let tenants: [String: Set<String>?]

    /// No destination.
    package static let none = DestinationRule([:])

    package init(_ tenants: [String: Set<String>?]) {
        self.tenants = tenants
    }

    /// Why a tenant's export may not name a destination, as a sentence; nil where it may. A destination of others counts as
    /// missing.
    package func complaint(about name: String, tenant: String) -> String? {
        let usable = tenants.filter { $0.value?.contains(tenant) ?? true }.keys.sorted()
        guard !usable.contains(name) else { return nil }
        return "'\(name)' is no destination of this farm; "
            + (usable.isEmpty ? "there is none for this tenant" : "known are \(usable.joined(separator: ", "))")
    }
}
