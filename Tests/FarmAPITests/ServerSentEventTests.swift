import FarmAPI
import Testing

@Suite struct ServerSentEventTests {
    @Test("Events are found however the bytes are cut", arguments: 1...7)
    func pieces(size: Int) {
        let text =
            "event: export\ndata: {\"a\":1}\n\n: still here\n\nid: 7\nevent: happened\r\ndata: one\r\ndata:two\r\n\r\ndata\n\n"
        #expect(
            ServerSentEventTests.parsed(text, size) == [
                ServerSentEvent("export", data: "{\"a\":1}"), ServerSentEvent("happened", id: "7", data: "one\ntwo"),
                ServerSentEvent("message", data: ""),
            ])
    }

    @Test("What is not finished by an empty line is no event")
    func unfinished() {
        #expect(ServerSentEventTests.parsed("data: half\n", 3) == [])
    }

    @Test("What is written is what is read")
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
