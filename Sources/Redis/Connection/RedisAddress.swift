/// Where a Redis server listens.
package enum RedisAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or an IP address (IPv6 without brackets), and a TCP port.
    case tcp(host: String, port: Int)
    /// A Unix domain socket's path.
    case unix(path: String)

    /// `host:port`, or the path.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}
