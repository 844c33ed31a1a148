import ArtifactStore
import ExportPlan
import RenderingProcesses
import Vocabulary

/// The part of a film that an export makes anew after the export of another draft, such as the one before an edit.
struct PlanComparison: Encodable {
    /// Parts of a film that change, of all that it has.
    struct Share: Encodable {
        var changed: Int
        var total: Int
    }

    /// The file of the other draft.
    let draft: String
    /// Segments of pictures. One that is shown several times counts once.
    let videoSegments: Share
    /// The frames of these segments.
    let frames: Share
    let audioSegments: Share
    /// Whether the film has other bytes.
    let filmChanges: Bool
    /// The predicted seconds of work that an export would take with nothing made before.
    let fullWork: Double

    /// - Parameters:
    ///   - file: the name of the other draft.
    ///   - known: the artifacts of the other draft's export.
    init(_ prepared: DraftPreparation, with file: String, _ known: KnownArtifacts) throws {
        draft = file
        let video = Dictionary(prepared.plan.videoSegments.map { ($0.key, $0.slice.frameCount) }) { first, _ in first }
        let changed = try video.filter { try !known.has($0.key) }
        videoSegments = Share(changed: changed.count, total: video.count)
        frames = Share(changed: changed.values.reduce(0, +), total: video.values.reduce(0, +))
        let audio = Set(prepared.plan.allAudioSegments.map(\.key))
        audioSegments = Share(changed: try audio.filter { try !known.has($0) }.count, total: audio.count)
        filmChanges = try !known.has(prepared.plan.stitch.key)
        fullWork = try PlanPrediction(prepared, processes: 1) { _ in false }.work
    }

    /// The comparison as one line.
    /// - Parameter work: the predicted seconds of work of what changes.
    func line(work: Double) -> String {
        guard filmChanges else { return "change nothing: the film is that of '\(draft)'" }
        var parts: [String] = []
        if videoSegments.total > 0 {
            parts.append(
                "\(videoSegments.changed) of \(videoSegments.total) video segments (\(frames.changed) of \(frames.total) frames)")
        }
        if audioSegments.total > 0 { parts.append("\(audioSegments.changed) of \(audioSegments.total) audio segments") }
        return "change \(parts.joined(separator: ", ")), \(Phrase.seconds(work)) of \(Phrase.seconds(fullWork)) of work"
    }
}

/// A plan as JSON with its comparison.
struct WithComparison<Value: Encodable>: Encodable {
    private let value: Value
    private let comparison: PlanComparison?

    /// - Parameter value: a value whose JSON is an object.
    init(_ value: Value, _ comparison: PlanComparison?) {
        self.value = value
        self.comparison = comparison
    }

    private enum CodingKeys: String, CodingKey { case against }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(comparison, forKey: .against)
    }
}
