/// A message of the rendering process with the number of its order, so that a late line of an earlier job is never
/// taken for an answer to a later one.
package struct ChildReport: Sendable, Codable {
    /// The `number` of the `RenderOrder`.
    package var order: Int
    package var message: ChildMessage

    package init(order: Int, _ message: ChildMessage) {
        self.order = order
        self.message = message
    }
}
