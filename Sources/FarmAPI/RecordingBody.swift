public import Coordinator
import ExportPlan
public import Recorder

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A recording on the wire: its status, and what the farm knows beside it.
public struct RecordingBody: Hashable, Sendable, Codable {
    public var id: RecordingID
    public var createdAt: Date
    /// The export that makes the clip which is being recorded.
    public var export: ExportID?
    /// What it has become, in the library.
    public var draft: DraftRevision?
    /// Its fields stand beside the others; clips are named `asset:<sha256>`.
    public var status: RecordingStatus

    public init(_ record: RecordingRecord) {
        let content = record.content
        id = record.id
        createdAt = record.createdAt
        export = content.making?.export
        draft = content.draft
        status = RecordingStatus(
            content.recording, url: { RecordingBody.url(of: $0, in: content) },
            input: { content.inputs?[$0.number].map(AssetLocation.location) })
    }

    /// What drafts name a clip's film by.
    public static func url(of clip: RecordedClip, in content: RecordingRecord.Content) -> String {
        AssetLocation.location(of: content.films[clip.number] ?? "")
    }

    private enum CodingKeys: String, CodingKey { case id, createdAt, export, draft }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encodeIfPresent(export, forKey: .export)
        try container.encodeIfPresent(draft, forKey: .draft)
        try status.encode(to: encoder)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(RecordingID.self, forKey: .id)
        createdAt = try container.decode(Date.self, forKey: .createdAt)
        export = try container.decodeIfPresent(ExportID.self, forKey: .export)
        draft = try container.decodeIfPresent(DraftRevision.self, forKey: .draft)
        status = try RecordingStatus(from: decoder)
    }
}
