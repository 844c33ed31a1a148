/// Addresses that sources may be fetched from: `https://*`, `https://*.example.com/media/`, `http://10.0.0.5:8080/`,
/// `s3://bucket/prefix/`.
///
/// A pattern allows the addresses with its scheme, host and port whose path begins with its own. `*` as the host allows
/// every host, at the scheme's own port, and `*.` every host below a domain.
package struct AddressPattern: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    private let scheme: RemoteLocation.Scheme
    private let host: String
    private let port: Int?
    private let path: String

    /// - Returns: nil for a text that is no pattern.
    package init?(_ text: String) {
        description = text
        // A star is no part of a host, so another letter stands for it while the address is read.
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let star = parts[1].hasPrefix("*.") || parts[1] == "*" || parts[1].hasPrefix("*/") || parts[1].hasPrefix("*:")
        let address = parts[0] + "://" + (star ? "x" + parts[1].dropFirst() : parts[1])
        let isBucket = parts[0].lowercased() == "s3"
        let padding = isBucket ? (parts[1].contains("/") ? "x" : "/x") : ""
        guard let read = try? RemoteLocation(address + padding), read.query.isEmpty, read.scheme != .data,
            !(isBucket && star)
        else { return nil }
        scheme = read.scheme
        host = star ? "*" + read.host.dropFirst() : read.host
        port = read.port
        path = String(read.path.dropLast(padding.isEmpty ? 0 : 1))
    }

    package func matches(_ location: RemoteLocation) -> Bool {
        guard location.scheme == scheme, location.port == port, location.path.hasPrefix(path) else { return false }
        if host == "*" { return true }
        if host.hasPrefix("*.") { return location.host.hasSuffix(host.dropFirst()) }
        return location.host == host
    }
}

/// The addresses that a farm, or one of its tenants, may fetch sources from.
package struct AddressList: Hashable, Sendable {
    package var patterns: [AddressPattern]

    package init(_ patterns: [AddressPattern]) { self.patterns = patterns }

    /// Every server at its scheme's own port, by `https` alone.
    package static let secure = AddressList(["https://*"].compactMap(AddressPattern.init))

    /// Why an address may not be fetched, in words that follow it; nil where it may. Data is always allowed.
    package func complaint(about location: RemoteLocation) -> String? {
        guard location.scheme != .data, !patterns.contains(where: { $0.matches(location) }) else { return nil }
        guard !patterns.isEmpty else { return "cannot be fetched; sources from other servers are not allowed here" }
        let allowed = patterns.map(\.description).joined(separator: ", ")
        return "is not among the addresses that sources may be fetched from: \(allowed)"
    }
}
