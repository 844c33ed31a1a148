import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the rendering process tells its parent: one JSON object a line on standard output. The parent writes one
/// `RenderOrder` a line on the child's standard input, the next one when the last has ended.
enum ChildMessage: Codable {
    /// Frames of the current job that are done; of a sound blocks, of a probe pieces read.
    case progress(done: Int)
    case finished(result: JobResult)
    case failed(failure: JobFailure)
}

enum MessageLine {
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return [UInt8](try encoder.encode(value)) + [0x0A]
    }

    static func decode<Value: Decodable>(_ type: Value.Type, _ line: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line.utf8))
    }
}
