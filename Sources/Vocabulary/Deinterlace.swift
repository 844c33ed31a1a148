/// How an interlaced source is deinterlaced.
package enum Deinterlace: String, CaseIterable, Hashable, Sendable, Codable {
    /// As the file says, or as its pictures look where it says nothing.
    case auto
    /// Frames are shown as they are, with both of their fields.
    case off
    /// Each frame has two fields, and the upper one is shown first.
    case topFieldFirst
    case bottomFieldFirst
}
