import FarmAPI
import Testing

@Suite struct ServerSentEventTests {
    @Test("Events are found however the bytes are divided", arguments: 1...7)
    func chunks(size: Int) {
        let text =
            "event: export\ndata: {\"a\":1}\n\n: still here\n\nid: 7\nevent: happened\r\ndata: one\r\ndata:two\r\n\r\ndata\n\n"
        #expect(
            ServerSentEventTests.parsed(text, size) == [
                ServerSentEvent("export", data: "{\"a\":1}"), ServerSentEvent("happened", id: "7", data: "one\ntwo"),
                ServerSentEvent("message", data: ""),
            ])
    }

    @Test("An event without a final empty line is dropped")
    func unfinished() {
        #expect(ServerSentEventTests.parsed("data: half\n", 3) == [])
    }

    @Test("A written event is read back unchanged")
    func roundTrip() {
        let events = [ServerSentEvent("a", data: ""), ServerSentEvent("b", id: "12", data: "x\n\ny: z\n")]
        #expect(ServerSentEventTests.parsed(events.map(\.text).joined(), 2) == events)
    }

    private static func parsed(_ text: String, _ size: Int) -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            events += parser.add(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return events
    }
}
