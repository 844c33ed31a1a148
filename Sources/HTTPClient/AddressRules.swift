/// Which addresses requests may connect to. A request whose address comes from a stranger must not reach the machines of
/// a private network, nor the services by which clouds give credentials to their machines.
///
/// The rules hold for the address that is connected to, whatever name it has been found by, and at every redirect.
package struct AddressRules: Hashable, Sendable {
    /// Networks that may be reached although they are private; nil where every address may be reached.
    private let allowed: [IPNetwork]?

    /// No rule: for addresses that come from the farm's own settings.
    package static let none = AddressRules(allowed: nil)

    /// - Parameter allowed: private networks that may be reached all the same.
    package static func publicAddresses(and allowed: [IPNetwork] = []) -> AddressRules { AddressRules(allowed: allowed) }

    private init(allowed: [IPNetwork]?) {
        self.allowed = allowed
    }

    var isNone: Bool { allowed == nil }

    /// Why an address may not be connected to, in words that follow it; nil where it may.
    package func complaint(about address: IPAddress) -> String? {
        guard let allowed, !allowed.contains(where: { $0.contains(address) }) else { return nil }
        if let network = AddressRules.refused.first(where: { $0.contains(address) }) {
            return "is not a public address (\(network))"
        }
        // Addresses that contain one of IPv4 lead to it.
        for (network, place) in AddressRules.embedding where network.contains(address) {
            let inner = IPAddress(ipv4: address.bytes[place..<place + 4])
            guard let complaint = complaint(about: inner) else { return nil }
            return "leads to \(inner), which \(complaint)"
        }
        let isPublic = AddressRules.ipv4.contains(address) || AddressRules.global.contains(address)
        return isPublic ? nil : "is not a public address"
    }

    private static func networks(_ texts: String...) -> [IPNetwork] { texts.compactMap { IPNetwork($0) } }

    private static let ipv4 = IPNetwork("0.0.0.0/0") ?? invalid
    /// All addresses that IANA gives out (RFC 4291, section 2.4).
    private static let global = IPNetwork("2000::/3") ?? invalid

    private static var invalid: IPNetwork { preconditionFailure("a network of the rules cannot be read") }

    /// Networks of the special-purpose registries of IANA (RFC 6890) that are not reachable from everywhere, multicast,
    /// and the one public address that a cloud gives to its machines' own services.
    private static let refused = networks(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4",
        "240.0.0.0/4", "168.63.129.16/32",
        "::/128", "::1/128", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20",
        "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8")

    /// Networks of IPv6 whose addresses contain one of IPv4, and at which byte: the translation of RFC 6052, 6to4 (RFC
    /// 3056) and the compatible addresses of RFC 4291.
    private static let embedding: [(network: IPNetwork, place: Int)] = [("64:ff9b::/96", 12), ("2002::/16", 2), ("::/96", 12)]
        .compactMap { text, place in IPNetwork(text).map { ($0, place) } }
}
