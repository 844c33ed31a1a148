import CPostgres

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension LibpqSession {
    /// Connects, and sets the styles that fields are read in.
    /// - Throws: `PostgresError` (`connectionFailed`), or `CancellationError` when the interruption is requested.
    func connect(_ configuration: PostgresConfiguration, _ interruption: Interruption) throws {
        let deadline = ContinuousClock.now + configuration.connectTimeout
        var events = POLLOUT
        while true {
            if interruption.isRequested { throw CancellationError() }
            let ready = wait(events, until: deadline)
            guard ready != 0 else {
                if ContinuousClock.now < deadline { continue }
                throw LibpqConnecting.error(pointer, "no answer within \(configuration.connectTimeout)")
            }
            switch PQconnectPoll(pointer) {
            case PGRES_POLLING_READING: events = POLLIN
            case PGRES_POLLING_WRITING: events = POLLOUT
            case PGRES_POLLING_OK: return try setStyles(configuration, interruption)
            default: throw LibpqConnecting.error(pointer)
            }
        }
    }

    /// What a server or a role may be configured to write otherwise, and how long a statement may take.
    private func setStyles(_ configuration: PostgresConfiguration, _ interruption: Interruption) throws {
        PQsetnonblocking(pointer, 1)
        let statement = """
            SET DateStyle = 'ISO'; SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET extra_float_digits = 1; \
            SET standard_conforming_strings = on\(configuration.sessionLimits)
            """
        guard send(script: statement) else { throw LibpqConnecting.error(pointer) }
        var failure: LibpqResult?
        while let result = try nextResult(interruption) {
            if result.isError { failure = failure ?? result }
        }
        if interruption.isRequested { throw CancellationError() }
        if let failure {
            var error = failure.error(statement: statement)
            error.code = .connectionFailed
            throw error
        }
    }
}

/// The start of a connection, and the words for one that came to nothing.
enum LibpqConnecting {
    /// - Throws: `PostgresError` (`connectionFailed`), when the connection string cannot be understood.
    static func start(_ configuration: PostgresConfiguration) throws(PostgresError) -> OpaquePointer {
        let keywords = configuration.keywords
        guard !keywords.contains(where: { $0.value.utf8.contains(0) }) else {
            throw PostgresError(.misuse, "the connection string has a zero byte")
        }
        let names = CStrings(keywords.map(\.name))
        let values = CStrings(keywords.map(\.value))
        let started = names.lend { names in values.lend { values in PQconnectStartParams(names, values, 1) } }
        guard let pointer = started else { throw PostgresError(.connectionFailed, "out of memory") }
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)  // libpq would print notices on the standard error
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)  // only so does a refusal carry its SQLSTATE
        if PQstatus(pointer) == CONNECTION_BAD {
            defer { PQfinish(pointer) }
            throw error(pointer)
        }
        return pointer
    }

    /// One sentence: where it went, what happened there, and what to do.
    static func error(_ pointer: OpaquePointer, _ reason: String? = nil) -> PostgresError {
        let (said, sqlState) = reasons(LibpqText.string(PQerrorMessage(pointer)) ?? "")
        let host = LibpqText.string(PQhost(pointer)) ?? ""
        let port = LibpqText.string(PQport(pointer)) ?? ""
        let address = host.hasPrefix("/") ? "\(host)/.s.PGSQL.\(port)" : "\(host):\(port)"
        let place = host.isEmpty ? "" : " at \(address)"
        return PostgresError(
            .connectionFailed, "cannot connect to PostgreSQL\(place): \(reason ?? said); \(advice(sqlState))",
            sqlState: sqlState)
    }

    private static func advice(_ sqlState: String?) -> String {
        switch sqlState {
        case .some(let state) where state.hasPrefix("28"): "check user and password in the connection string"
        case "3D000": "create the database, or correct its name in the connection string"
        case "53300": "raise the server's max_connections, or make the pools smaller"
        case .some(let state) where state.hasPrefix("57P"): "try again when the server has started"
        default: "check that a server listens there and that the connection string is right"
        }
    }

    /// libpq's lines, one for every address tried, without what the address above says already; and the last SQLSTATE.
    private static func reasons(_ message: String) -> (String, String?) {
        var reasons: [String] = []
        var sqlState: String?
        for line in message.split(separator: "\n") where !line.hasPrefix("\t") && !line.hasPrefix("LOCATION:") {
            var reason = String(line)
            if line.hasPrefix("connection to server"), let place = line.firstRange(of: " failed: ") {
                reason = String(line[place.upperBound...])
            }
            if let match = reason.firstMatch(of: #/^\w+: +([0-9A-Z]{5}): /#) {
                sqlState = String(match.output.1)
                reason = String(reason[match.range.upperBound...])
            }
            if !reasons.contains(reason) { reasons.append(reason) }
        }
        return (reasons.joined(separator: "; "), sqlState)
    }
}

/// A list of C strings, ended by a null pointer, that lives as long as a closure.
private struct CStrings {
    private var bytes: [CChar] = []
    private var starts: [Int] = []

    init(_ strings: [String]) {
        for string in strings {
            starts.append(bytes.count)
            bytes.append(contentsOf: string.utf8CString)
        }
    }

    func lend<Result>(_ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        bytes.withUnsafeBufferPointer { buffer in
            let pointers = starts.map { buffer.baseAddress?.advanced(by: $0) } + [nil]
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
