/// The field of a frame that is shown first.
package enum FieldOrder: String, Hashable, Sendable, Codable { case topFieldFirst, bottomFieldFirst }

/// How the frames of an interlaced source hold two fields each, which were taken one after the other.
package struct Interlacing: Hashable, Sendable, Codable {
    package var order: FieldOrder
    /// Whether the codec marks interlaced frames and their order. Otherwise the order was found by looking at frames, or is
    /// that of the container.
    package var isMarked: Bool

    package init(order: FieldOrder, isMarked: Bool) {
        self.order = order
        self.isMarked = isMarked
    }

    /// How the source is deinterlaced where its draft says nothing.
    package var fields: SourceFields {
        guard !isMarked else { return .marked }
        return order == .topFieldFirst ? .topFieldFirst : .bottomFieldFirst
    }
}

/// How the fields of a source that is deinterlaced are told apart.
package enum SourceFields: String, Hashable, Sendable, Codable {
    /// By the marks of each frame; unmarked frames count as `topFieldFirst`.
    case marked
    case topFieldFirst, bottomFieldFirst
}
