package import Recorder
package import FoundationEssentials

/// The id of a recording.
package struct RecordingID: UUIDIdentifier {
    package static let thing = "recording"

    package let text: String

    package init(lowercased: String) { text = lowercased }
}

/// A recording on the farm and its present state.
package struct RecordingRecord: Hashable, Sendable {
    /// The part of the record that changes.
    package struct Content: Hashable, Sendable, Codable {
        package var recording: Recording
        /// How the clip that is being recorded is made; nil while none is.
        package var making: Making?
        /// The film of each clip by the clip's number: the sha256 of an asset.
        package var films: [Int: String] = [:]
        /// What was uploaded for each clip by the clip's number: the sha256 of an asset; nil before the first.
        package var inputs: [Int: String]?
        /// The draft that the recording has become.
        package var draft: DraftRevision?

        package init(_ recording: Recording) {
            self.recording = recording
        }
    }

    /// The making of a clip, which is an export like any other.
    package struct Making: Hashable, Sendable, Codable {
        /// sha256 of the asset that was uploaded for the clip.
        package var input: String
        package var export: ExportID

        package init(input: String, export: ExportID) {
            self.input = input
            self.export = export
        }
    }

    package var id: RecordingID
    package var tenant: Int64
    /// The version counts from 1 and grows with every change.
    package var version: Int
    package var content: Content
    package var createdAt: Date

    package init(id: RecordingID, tenant: Int64, version: Int = 1, content: Content, createdAt: Date) {
        self.id = id
        self.tenant = tenant
        self.version = version
        self.content = content
        self.createdAt = createdAt
    }
}

extension RecordingRecord.Content {
    /// The state's name, as a column of the store has it.
    package var stateName: String {
        switch recording.state {
        case .open: "open"
        case .recording: "recording"
        case .full: "full"
        case .finished: "finished"
        case .discarded: "discarded"
        }
    }
}
