import FarmAPI

/// An entry in the queue that cannot be read, because another version of this program wrote it, or something else did.
///
/// It stops nothing. A report of which at least the attempt can be read counts as a failed attempt, and so does a
/// ticket. A job whose ticket names a source that is not there, or has other bytes, goes back. Every other entry is
/// skipped.
package struct UnreadableEntry: Hashable, Sendable, CustomStringConvertible {
    /// The key in Redis, and the place in it.
    package var place: String
    package var bytes: [UInt8]

    /// One line for a log: the place, and the first 200 bytes with everything but printable ASCII escaped.
    package var description: String {
        if bytes.isEmpty { return "\(place) is missing or empty and is skipped" }
        let shown = String(decoding: bytes.prefix(200), as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        return "\(place) cannot be read and is skipped (\(bytes.count) bytes): \(shown)"
    }
}

/// The part of a ticket or a report that says which attempt it is about. It can be read even where another version
/// wrote the rest in another format.
struct AttemptHead: Decodable {
    var identity: AttemptID
    /// The worker that made a report; nil for a ticket.
    var worker: String?

    private enum Keys: String, CodingKey { case id, job, attempt, worker }

    /// A report has the attempt as `id`; a ticket has it as two numbers.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Keys.self)
        if let id = try values.decodeIfPresent(AttemptID.self, forKey: .id) {
            identity = id
        } else {
            identity = AttemptID(
                job: try values.decode(Int64.self, forKey: .job), attempt: try values.decode(Int.self, forKey: .attempt))
        }
        worker = try? values.decode(String.self, forKey: .worker)  // a ticket has none
    }
}
