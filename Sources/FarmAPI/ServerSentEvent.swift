/// An event of a stream of events over HTTP (WHATWG HTML, "Server-sent events").
public struct ServerSentEvent: Hashable, Sendable {
    /// Where a client that was cut off goes on; nil for one that has no place in the order.
    public var id: String?
    public var name: String
    public var data: String

    public init(_ name: String, id: String? = nil, data: String) {
        self.id = id
        self.name = name
        self.data = data
    }

    /// As it goes over the wire. Neither id nor name has a line break.
    public var text: String {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        return "event: \(name)\n" + (id.map { "id: \($0)\n" } ?? "") + lines + "\n"
    }
}

/// Takes events out of bytes as they arrive.
public struct ServerSentEventParser: Sendable {
    private var line: [UInt8] = []
    private var name = ""
    private var id: String?
    private var data: [String] = []

    public init() {}

    /// - Returns: the events that these bytes complete.
    public mutating func add(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
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

    /// An empty line ends an event; one without data is none.
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
        default: break  // a comment, or a field that no one has asked for
        }
        return nil
    }
}
