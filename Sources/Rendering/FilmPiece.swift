import ExportPlan

/// What a run of a film's pictures comes from.
enum FilmPiece {
    case encoded(StitchSegment)
    case copied(CopiedStretch)

    var frameCount: Int {
        switch self {
        case .encoded(let segment): segment.frameCount
        case .copied(let stretch): stretch.frameCount
        }
    }

    var isEncoded: Bool { if case .encoded = self { true } else { false } }

    /// Segments in film order, and between them what is copied.
    static func inOrder(_ segments: [StitchSegment], _ copied: CopiedFilm?) -> [FilmPiece] {
        var pieces: [FilmPiece] = []
        var segments = segments[...]
        var frame = 0
        for stretch in copied?.stretches ?? [] {
            while frame < stretch.firstFrame, let segment = segments.popFirst() {
                pieces.append(.encoded(segment))
                frame += segment.frameCount
            }
            pieces.append(.copied(stretch))
            frame += stretch.frameCount
        }
        return pieces + segments.map(FilmPiece.encoded)
    }
}
