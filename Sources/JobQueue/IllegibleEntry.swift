/// Something in the queue that cannot be read: of another version of this program, or of somebody else.
///
/// It stops nobody: a report of which at least the attempt can be read counts as a failed attempt, a ticket likewise, and
/// everything else is passed over.
public struct IllegibleEntry: Hashable, Sendable, CustomStringConvertible {
    /// The key in Redis, and where in it.
    public var place: String
    public var bytes: [UInt8]

    /// One line for a log: the place, and the beginning of the bytes with everything escaped that is no printable ASCII.
    public var description: String {
        let shown = String(decoding: bytes.prefix(200), as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        return "\(place) cannot be read and is passed over (\(bytes.count) bytes): \(shown)"
    }
}

/// The part of a ticket or a report that says which attempt it is about: what is left to read when the rest is of another
/// version.
struct AttemptHead: Decodable {
    var identity: AttemptID
    /// Of a report, who made it.
    var worker: String?

    private enum Keys: String, CodingKey { case id, job, attempt, worker }

    /// A report has the attempt as `id`, a ticket has its two numbers.
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
