import DraftModel
import ExactTime
import ExportPlan
import FarmAPI
import Recorder

// The schemas of types that are read from a single text or number, which their decoding does not show.

extension SchemaDescribed where Self: UUIDIdentifier {
    static var schema: JSONSchema { .string(format: "uuid") }
    static var example: Self { Self() }
}

extension ExportID: SchemaDescribed {}
extension RecordingID: SchemaDescribed {}
extension BatchID: SchemaDescribed {}

extension FreeJSON: SchemaDescribed {
    static let schema = JSONSchema.any
    static let example = FreeJSON.null
}

extension ArtifactKey: SchemaDescribed {
    static let schema = JSONSchema.string.described("the key of a stored artifact")
    static let example = ArtifactKey("key")
}

/// A whole number, or a fraction as text.
extension Rational: SchemaDescribed {
    static let schema = JSONSchema.either([.integer, .string(pattern: "^-?[0-9]+/[0-9]+$")])
    static let example = Rational(1)
}

/// Seconds: a whole number, or a fraction as text.
extension MediaTime: SchemaDescribed {
    static let schema = Rational.schema.described("seconds: a whole number, or a fraction such as `1001/30000`")
    static let example = MediaTime.zero
}

extension SettingText: SchemaDescribed {
    static let schema = JSONSchema.either([.string, .number, .boolean])
    static let example = SettingText(text: "text")
}

/// The settings that [recording.md](recording.md) describes.
extension RecordingSettings: SchemaDescribed {
    static let schema = JSONSchema.object.described("the recording's settings (recording.md)")
    static let example = RecordingSettings()
}
