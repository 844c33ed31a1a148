/// Where the bytes of a source can be read, and what is known of them. Jobs carry these beside their slice: a
/// location is not part of a content key.
public struct SourceReference: Hashable, Sendable, Codable {
    public var facts: SourceFacts
    /// A file on the machine that runs the job.
    public var path: String
    /// The file, where this process has it open for as long as the job takes; it does not travel to other processes.
    public var descriptor: Int32?

    public init(facts: SourceFacts, path: String) {
        self.facts = facts
        self.path = path
    }

    private enum CodingKeys: CodingKey { case facts, path }
}
