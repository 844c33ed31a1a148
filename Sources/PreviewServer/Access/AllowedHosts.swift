import Glibc

/// The names by which the server may be asked for. A page of another site can let a name of its own lead to this machine
/// (DNS rebinding), and would then be of the same origin as the preview. It cannot change the name that the browser sends.
struct AllowedHosts: Sendable {
    private let names: Set<String>
    /// Whether any address of a machine is allowed. An address is no name, so nobody can let it lead elsewhere.
    private let takesAddresses: Bool

    /// - Parameter host: the address that the server listens on. This machine's own names are always allowed, because SSH
    ///   forwards them.
    init(listeningOn host: String) {
        let own = host.contains(":") ? "[\(host)]" : host
        names = ["127.0.0.1", "localhost", "[::1]", own.lowercased()]
        takesAddresses = host == "0.0.0.0" || host == "::"
    }

    /// - Parameter authority: the `Host` of a request, with or without a port.
    func allow(_ authority: String?) -> Bool {
        guard let authority, let name = AllowedHosts.name(in: authority.lowercased()) else { return false }
        return names.contains(name) || takesAddresses && AllowedHosts.isAddress(name)
    }

    /// The host in `host`, `host:port`, `[address]` or `[address]:port`; nil for any other text.
    private static func name(in authority: String) -> String? {
        var name = authority[...]
        var rest = Substring()
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            name = authority[...end]
            rest = authority[authority.index(after: end)...]
        } else if let colon = authority.firstIndex(of: ":") {
            name = authority[..<colon]
            rest = authority[colon...]
        }
        guard rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil else { return nil }
        return String(name)
    }

    private static func isAddress(_ name: String) -> Bool {
        var (four, six) = (in_addr(), in6_addr())
        if name.hasPrefix("[") { return inet_pton(AF_INET6, String(name.dropFirst().dropLast()), &six) == 1 }
        return inet_pton(AF_INET, name, &four) == 1
    }
}
