/// A command: its name, and its arguments as bytes. Built from a list, so nothing ever needs quoting.
public struct RedisCommand: Sendable, Equatable, CustomStringConvertible {
    /// How long the server may hold a blocking command back.
    public enum Blocking: Sendable, Equatable {
        case atMost(Duration)
        /// Until something arrives.
        case forever

        /// As the `BLOCK` option takes it.
        var milliseconds: Int {
            switch self {
            case .atMost(let limit): limit.redisMilliseconds
            case .forever: 0
            }
        }
    }

    /// One or two words in capitals, as the manual has it: `XGROUP CREATE`. Each word is sent as an argument of its own.
    public let name: String
    /// Without the name.
    public private(set) var arguments: [[UInt8]]
    /// Set on commands that the server may hold back: they get a connection of their own, time besides the command timeout,
    /// and end when their task is cancelled.
    public let blocking: Blocking?

    /// - Parameter blocking: must say the same as the arguments do.
    public init(_ name: String, _ arguments: any RedisArgument..., blocking: Blocking? = nil) {
        self.name = name
        self.arguments = arguments.map(\.redisBytes)
        self.blocking = blocking
    }

    /// Adds arguments at the end.
    public mutating func append(_ arguments: any RedisArgument...) {
        self.arguments += arguments.map(\.redisBytes)
    }

    /// Adds a list of arguments at the end.
    public mutating func append(each arguments: some Sequence<some RedisArgument>) {
        self.arguments += arguments.map(\.redisBytes)
    }

    /// The name and how many arguments: what they hold may be secret.
    public var description: String { "\(name) (\(arguments.count) arguments)" }

    /// Everything that is sent, the words of the name first.
    var words: [[UInt8]] { name.split(separator: " ").map { Array($0.utf8) } + arguments }
}
