/// What a worker needs to fetch the sources of a probe.
package struct RemoteAccess: Hashable, Sendable, Codable {
    /// The name of the tenant, which credentials may be limited to.
    package var tenant: String
    /// The patterns of the addresses that the tenant may use (`AddressPattern`); nil where it may use all those of the farm.
    package var addresses: [String]?
    /// What is known of the sources since they were last fetched, by location.
    package var known: [String: FetchedSource]

    package init(tenant: String, addresses: [String]? = nil, known: [String: FetchedSource] = [:]) {
        self.tenant = tenant
        self.addresses = addresses
        self.known = known
    }
}
