public import Recorder

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The name of a recording.
public struct RecordingID: UUIDName {
    public static let thing = "recording"

    public let text: String

    public init(lowercased: String) { text = lowercased }
}

/// A recording on the farm as it stands.
public struct RecordingRecord: Hashable, Sendable {
    /// Everything that changes.
    public struct Content: Hashable, Sendable, Codable {
        public var recording: Recording
        /// Of the clip that is being recorded.
        public var making: Making?
        /// The clips' films, by the clip's number: sha256 of assets.
        public var films: [Int: String] = [:]
        /// What came in for them, likewise; nil before the first.
        public var inputs: [Int: String]?
        /// What it has become.
        public var draft: DraftRevision?

        public init(_ recording: Recording) {
            self.recording = recording
        }
    }

    /// How a clip comes about: an export like any other.
    public struct Making: Hashable, Sendable, Codable {
        /// sha256 of the asset that came in.
        public var input: String
        public var export: ExportID

        public init(input: String, export: ExportID) {
            self.input = input
            self.export = export
        }
    }

    public var id: RecordingID
    public var tenant: Int64
    /// From 1, raised by every change.
    public var version: Int
    public var content: Content
    public var createdAt: Date

    public init(id: RecordingID, tenant: Int64, version: Int = 1, content: Content, createdAt: Date) {
        self.id = id
        self.tenant = tenant
        self.version = version
        self.content = content
        self.createdAt = createdAt
    }
}

extension RecordingRecord.Content {
    /// The state's name, as it is looked for in the store.
    var stateName: String {
        switch recording.state {
        case .open: "open"
        case .recording: "recording"
        case .full: "full"
        case .finished: "finished"
        case .discarded: "discarded"
        }
    }
}
