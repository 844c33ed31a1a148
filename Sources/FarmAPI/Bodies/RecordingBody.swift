import ExportPlan
package import Recorder
package import FoundationEssentials

/// A recording on the wire: its status, and what only the farm knows about it.
package struct RecordingBody: Hashable, Sendable, Codable {
    package var id: RecordingID
    package var createdAt: Date
    /// The export that makes the clip being recorded.
    package var export: ExportID?
    /// The draft in the library that the finished recording became.
    package var draft: DraftRevision?
    /// The status, whose fields stand beside the others; clips are named `asset:<sha256>`.
    package var status: RecordingStatus

    package init(_ record: RecordingRecord) {
        let content = record.content
        id = record.id
        createdAt = record.createdAt
        export = content.making?.export
        draft = content.draft
        status = RecordingStatus(
            content.recording, url: { RecordingBody.url(of: $0, in: content) },
            input: { content.inputs?[$0.number].map(AssetLocation.location) })
    }

    /// The URL by which drafts name a clip's film.
    package static func url(of clip: RecordedClip, in content: RecordingRecord.Content) -> String {
        AssetLocation.location(of: content.films[clip.number] ?? "")
    }

    private enum CodingKeys: String, CodingKey { case id, createdAt, export, draft }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encodeIfPresent(export, forKey: .export)
        try container.encodeIfPresent(draft, forKey: .draft)
        try status.encode(to: encoder)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(RecordingID.self, forKey: .id)
        createdAt = try container.decode(Date.self, forKey: .createdAt)
        export = try container.decodeIfPresent(ExportID.self, forKey: .export)
        draft = try container.decodeIfPresent(DraftRevision.self, forKey: .draft)
        status = try RecordingStatus(from: decoder)
    }
}
