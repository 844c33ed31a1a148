/// Where a Redis server listens.
public enum RedisAddress: Sendable, Hashable, CustomStringConvertible {
    /// A name or an IP address (IPv6 without brackets), and a TCP port.
    case tcp(host: String, port: Int)
    /// A Unix domain socket's path.
    case unix(path: String)

    /// `host:port`, or the path.
    public var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}
