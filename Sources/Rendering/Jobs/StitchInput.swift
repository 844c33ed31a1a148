import ExportPlan

/// An input of the stitch for a range of a film's pictures: an encoded segment or a copied range.
enum StitchInput {
    case encoded(StitchSegment)
    case copied(CopiedRange)

    var frameCount: Int {
        switch self {
        case .encoded(let segment): segment.frameCount
        case .copied(let range): range.frameCount
        }
    }

    var isEncoded: Bool { if case .encoded = self { true } else { false } }

    /// The encoded segments and the copied ranges in film order.
    static func inOrder(_ segments: [StitchSegment], _ copied: CopiedFilm?) -> [StitchInput] {
        var inputs: [StitchInput] = []
        var segments = segments[...]
        var frame = 0
        for range in copied?.ranges ?? [] {
            while frame < range.firstFrame, let segment = segments.popFirst() {
                inputs.append(.encoded(segment))
                frame += segment.frameCount
            }
            inputs.append(.copied(range))
            frame += range.frameCount
        }
        return inputs + segments.map(StitchInput.encoded)
    }
}
