/// A command: its name, and its arguments as bytes. The arguments are a list, so nothing ever needs quoting.
package struct RedisCommand: Sendable, Equatable, CustomStringConvertible {
    /// How long the server may hold back the answer to a blocking command.
    package enum Blocking: Sendable, Equatable {
        case atMost(Duration)
        /// Until something arrives.
        case forever

        /// The value of the `BLOCK` option.
        var milliseconds: Int {
            switch self {
            case .atMost(let limit): limit.redisMilliseconds
            case .forever: 0
            }
        }
    }

    /// One or two words in capitals, as in the Redis manual: `XGROUP CREATE`. Each word is sent as an argument of its
    /// own.
    package let name: String
    /// The arguments, without the name.
    package private(set) var arguments: [[UInt8]]
    /// Set on commands whose answer the server may hold back. They get a connection of their own and this time in
    /// addition to the command timeout, and they end when their task is cancelled.
    package let blocking: Blocking?

    /// - Parameter blocking: must agree with the arguments.
    package init(_ name: String, _ arguments: any RedisArgument..., blocking: Blocking? = nil) {
        self.name = name
        self.arguments = arguments.map(\.redisBytes)
        self.blocking = blocking
    }

    /// Adds arguments at the end.
    package mutating func append(_ arguments: any RedisArgument...) {
        self.arguments += arguments.map(\.redisBytes)
    }

    /// Adds a list of arguments at the end.
    package mutating func append(each arguments: some Sequence<some RedisArgument>) {
        self.arguments += arguments.map(\.redisBytes)
    }

    /// The name and the number of arguments. The arguments themselves may be secret.
    package var description: String { "\(name) (\(arguments.count) arguments)" }

    /// Everything that is sent, with the words of the name first.
    var words: [[UInt8]] { name.split(separator: " ").map { Array($0.utf8) } + arguments }
}
