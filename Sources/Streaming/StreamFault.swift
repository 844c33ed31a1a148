/// The reason why a file of segments cannot be played as a stream.
package struct StreamFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for a person.
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
