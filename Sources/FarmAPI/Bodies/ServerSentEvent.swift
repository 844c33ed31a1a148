/// One server-sent event (WHATWG HTML, "Server-sent events").
package struct ServerSentEvent: Hashable, Sendable {
    /// The position from which a client that was cut off continues; nil for an event without a position.
    package var id: String?
    package var name: String
    package var data: String

    package init(_ name: String, id: String? = nil, data: String) {
        self.id = id
        self.name = name
        self.data = data
    }

    /// The event as sent over the wire. Neither its id nor its name may have a line break.
    package var text: String {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        return "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + lines + "\n"
    }
}

/// Splits arriving bytes into events.
package struct ServerSentEventParser: Sendable {
    private var line: [UInt8] = []
    private var name = ""
    private var id: String?
    private var data: [String] = []

    package init() {}

    /// - Returns: the events that these bytes complete.
    package mutating func add(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let event = endLine() { events.append(event) }
            line = []
        }
        return events
    }

    /// Handles an empty line, which ends an event. An event without data is dropped.
    private mutating func endLine() -> ServerSentEvent? {
        guard !line.isEmpty else {
            defer {
                name = ""
                id = nil
                data = []
            }
            guard !data.isEmpty else { return nil }
            return ServerSentEvent(name.isEmpty ? "message" : name, id: id, data: data.joined(separator: "\n"))
        }
        let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : []
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: parts[0], as: UTF8.self) {
        case "event": name = text
        case "id": id = text
        case "data": data.append(text)
        default: break  // a comment or an unknown field
        }
        return nil
    }
}
