/// The result of capturing a live input, which can be read only once.
package struct CapturedMedia: Hashable, Sendable, Codable {
    package var byteCount: Int
    /// Whether the capture ended because of the limit, and not because the input ended.
    package var reachedLimit: Bool

    package init(byteCount: Int, reachedLimit: Bool) {
        self.byteCount = byteCount
        self.reachedLimit = reachedLimit
    }
}
