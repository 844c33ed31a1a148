/// Where the bytes of a source can be read, and the source's facts. Jobs carry references beside their slice, because a
/// location is not part of a content key.
package struct SourceReference: Hashable, Sendable, Codable {
    package var facts: SourceFacts
    /// The path of the file on the machine that runs the job.
    package var path: String
    /// The descriptor of the file while this process has it open for the job; it is not sent to other processes.
    package var descriptor: Int32?

    package init(facts: SourceFacts, path: String) {
        self.facts = facts
        self.path = path
    }

    /// A reference for a ticket.
    /// - Parameter location: the location as the draft has it. What was fetched from an address is an asset by then.
    package init(facts: SourceFacts, stored location: String) {
        self.init(
            facts: facts,
            path: RemoteLocation.matches(location) ? AssetLocation.location(of: facts.contentHash) : location)
    }

    private enum CodingKeys: CodingKey { case facts, path }
}
