/// A message of the rendering process with the number of the order that it is about, so that a line that was left over from an
/// earlier job is never taken for the answer to a later one.
public struct ChildReport: Sendable, Codable {
    /// `RenderOrder.number`.
    public var order: Int
    public var message: ChildMessage

    public init(order: Int, _ message: ChildMessage) {
        self.order = order
        self.message = message
    }
}
