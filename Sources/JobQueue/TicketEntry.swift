import ExportPlan

/// A ticket as a stream in Redis has it. The references to the job's sources, which are the same for many jobs of an
/// export and may have megabytes of facts, are left out, and their digests name them (`RedisJobQueue+Sources.swift`).
///
/// A worker of an earlier version finds no `work` where it looks for it. It therefore refuses the ticket, instead of
/// rendering without sources. A ticket without references is written as earlier versions write all tickets, and tickets
/// that are written so are read.
struct TicketEntry: Hashable, Sendable, Codable {
    /// The ticket; its work has no references where `sources` names them.
    var ticket: JobTicket
    /// The digests of the references that the work lacks, in order.
    var sources: [String]

    /// - Parameter sources: the digests of all references that the ticket's work has.
    init(_ ticket: JobTicket, sources: [String]) {
        self.ticket = ticket
        self.sources = sources
        if !sources.isEmpty { self.ticket.work = ticket.work.with(sources: []) }
    }

    private enum CodingKeys: String, CodingKey { case job, attempt, ticket, sources }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if values.contains(.ticket) {
            ticket = try values.decode(JobTicket.self, forKey: .ticket)
            sources = try values.decode([String].self, forKey: .sources)
        } else {
            ticket = try JobTicket(from: decoder)
            sources = []
        }
    }

    func encode(to encoder: any Encoder) throws {
        guard !sources.isEmpty else { return try ticket.encode(to: encoder) }
        var values = encoder.container(keyedBy: CodingKeys.self)
        // `AttemptHead` reads these two, also where the rest cannot be read.
        try values.encode(ticket.job, forKey: .job)
        try values.encode(ticket.attempt, forKey: .attempt)
        try values.encode(ticket, forKey: .ticket)
        try values.encode(sources, forKey: .sources)
    }
}
