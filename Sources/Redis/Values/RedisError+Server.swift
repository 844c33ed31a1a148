extension RedisError {
    /// The server's error line as an error.
    ///
    /// The first word is the kind of error (Redis protocol, "simple errors"); the rest is for people.
    /// - Parameter line: such as `WRONGTYPE Operation against a key holding the wrong kind of value`.
    init(serverLine line: String, command: String? = nil) {
        let word = String(line.prefix { $0 != " " })
        // For an unknown command the server repeats the arguments, which may be secrets.
        let told = line.split(separator: ", with args beginning with", maxSplits: 1).first ?? ""
        self.init(Self.code(word: word, line: line), "Redis answered '\(told)'", word: word, command: command)
    }

    private static func code(word: String, line: String) -> Code {
        switch word {
        case "WRONGPASS", "NOAUTH": .authentication
        // These are the answers before Redis 6, and to AUTH where no password is set.
        case "ERR" where line.hasPrefix("ERR invalid password") || line.hasPrefix("ERR AUTH"): .authentication
        case "NOPERM": .noPermission
        case "LOADING", "MASTERDOWN": .notReady
        case "READONLY", "MISCONF": .readOnly
        case "OOM": .outOfMemory
        case "WRONGTYPE": .wrongType
        case "NOGROUP": .noGroup
        // Redis 7.0 answers this to a blocked read whose stream was removed; 7.2 answers NOGROUP.
        case "UNBLOCKED" where line.hasSuffix("key no longer exists"): .noGroup
        case "BUSYGROUP": .busyGroup
        case "NOSCRIPT": .noScript
        default: .server
        }
    }
}
