import CPostgres
import Glibc

extension LibpqSession {
    /// Connects, and sets the formats in which the server writes fields.
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

    /// Sets the formats, which a server or a role may be configured to write otherwise, and how long a statement may
    /// take.
    private func setStyles(_ configuration: PostgresConfiguration, _ interruption: Interruption) throws {
        PQsetnonblocking(pointer, 1)
        let statement = """
            SET DateStyle = 'ISO'; SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET extra_float_digits = 1; \
            SET standard_conforming_strings = on\(configuration.sessionSettings)
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

/// The start of a connection, and the error for a connection that failed.
enum LibpqConnecting {
    /// - Throws: `PostgresError` (`connectionFailed`), when the connection string cannot be understood or libpq
    ///   cannot be loaded.
    static func start(_ configuration: PostgresConfiguration) throws(PostgresError) -> OpaquePointer {
        if let reason = spool_load_libpq() {
            throw PostgresError(.connectionFailed, String(cString: reason))
        }
        let keywords = configuration.keywords
        guard !keywords.contains(where: { $0.value.utf8.contains(0) }) else {
            throw PostgresError(.misuse, "the connection string has a zero byte")
        }
        let names = CStrings(keywords.map(\.name))
        let values = CStrings(keywords.map(\.value))
        let started = names.lend { names in values.lend { values in PQconnectStartParams(names, values, 1) } }
        guard let pointer = started else { throw PostgresError(.connectionFailed, "out of memory") }
        PQsetNoticeProcessor(pointer, { _, _ in }, nil)  // libpq would print notices on the standard error
        PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)  // otherwise a refusal has no SQLSTATE
        if PQstatus(pointer) == CONNECTION_BAD {
            defer { PQfinish(pointer) }
            throw error(pointer)
        }
        return pointer
    }

    /// The error of a failed connection in one sentence: the address, what happened there, and what to do.
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

    /// libpq's lines, one for each address that was tried, without what the error says of the address already; and the
    /// last SQLSTATE.
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

/// A list of C strings with a null pointer at its end, which is valid only within a closure.
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
