import FarmAPI
import JobQueue
import Testing
import FoundationEssentials

@Suite("The export and the trace of a ticket")
struct TicketTraceTests {
    private func coded(_ ticket: JobTicket) throws -> (text: String, ticket: JobTicket) {
        let data = try JSONEncoder().encode(ticket)
        return (String(decoding: data, as: UTF8.self), try JSONDecoder().decode(JobTicket.self, from: data))
    }

    @Test("They are left out where there are none, as in tickets of earlier versions, which are read")
    func earlier() throws {
        let (text, read) = try coded(QueueFixture.ticket(1))
        #expect(!text.contains("\"export\"") && !text.contains("\"trace\"") && !text.contains("readyAt"))
        #expect(read == QueueFixture.ticket(1) && read.export == nil && read.trace == nil)
    }

    @Test("They arrive with the ticket, and a trace that makes no sense costs no job")
    func travelling() throws {
        var sent = QueueFixture.ticket(1)
        sent.export = ExportID()
        sent.trace = "no traceparent at all"
        #expect(try coded(sent).ticket == sent)
    }
}
