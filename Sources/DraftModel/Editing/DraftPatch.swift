package import FoundationEssentials

/// A JSON Patch (RFC 6902) for a draft document: changes that are all applied or none. Places are JSON Pointers (RFC
/// 6901).
///
/// It changes the document and not the draft read from it, so merge fields are kept.
package struct DraftPatch: Sendable {
    private enum Operation {
        case add(JSONPointer, JSONValue)
        case remove(JSONPointer)
        case replace(JSONPointer, JSONValue)
        case move(from: JSONPointer, to: JSONPointer)
        case copy(from: JSONPointer, to: JSONPointer)
        case test(JSONPointer, JSONValue)
    }

    private enum Name: String, CaseIterable { case add, remove, replace, move, copy, test }

    private let operations: [Operation]

    /// - Throws: `DraftError` with every fault of the patch. The paths are those in the patch, as in `[2].path`.
    package init(_ data: Data) throws {
        let collector = DiagnosticCollector()
        let document = try JSONValue.parse(data)
        guard case .array(let elements) = document else {
            throw DraftError([
                DraftDiagnostic(path: "", code: .wrongType, message: "a patch must be an array, not \(document.kind)")
            ])
        }
        operations = elements.enumerated().compactMap { index, element in
            ObjectReader(element, path: "[\(index)]", collector: collector).flatMap { reader in
                var reader = reader
                return DraftPatch.operation(&reader, element)
            }
        }
        guard !collector.hasErrors else { throw DraftError(collector.diagnostics) }
    }

    private static func operation(_ reader: inout ObjectReader, _ element: JSONValue) -> Operation? {
        let name = reader.choice("op", Name.self, required: true)
        let place = pointer("path", &reader)
        let needsValue = [.add, .replace, .test].contains(name)
        let needsFrom = [.move, .copy].contains(name)
        // Here `null` is a value. The call only marks the field as known.
        _ = reader.value("value")
        guard case .object(let members) = element else { return nil }
        if needsValue, members["value"] == nil { reader.report("value", .missingField, "is required") }
        let from = needsFrom ? pointer("from", &reader) : nil
        // Other members are ignored, as the standard demands.
        guard let name, let place else { return nil }
        let value = members["value"] ?? .null
        switch name {
        case .add: return .add(place, value)
        case .remove: return .remove(place)
        case .replace: return .replace(place, value)
        case .test: return .test(place, value)
        case .move: return from.map { .move(from: $0, to: place) }
        case .copy: return from.map { .copy(from: $0, to: place) }
        }
    }

    private static func pointer(_ name: String, _ reader: inout ObjectReader) -> JSONPointer? {
        guard let text = reader.string(name, required: true, atMost: DraftLimits.jsonDepth * DraftLimits.memberNameBytes) else {
            return nil
        }
        guard let pointer = JSONPointer(text) else {
            reader.report(name, .invalidValue, "'\(text)' is not a JSON Pointer such as /mainTrackClips/0/volume")
            return nil
        }
        return pointer
    }

    /// The changed document.
    /// - Throws: `DraftError` for the first operation that fails, with its index in the patch and the reason.
    package func apply(to data: Data) throws -> Data {
        var document = try JSONValue.parse(data)
        for (index, operation) in operations.enumerated() {
            do throws(JSONPointer.Fault) {
                try DraftPatch.apply(operation, to: &document)
            } catch {
                throw DraftError([DraftDiagnostic(path: "[\(index)]", code: .invalidValue, message: error.message)])
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try DraftPatch.encoded(document, encoder)
    }

    private static func encoded(_ document: JSONValue, _ encoder: JSONEncoder) throws -> Data {
        do {
            return try encoder.encode(document)
        } catch EncodingError.invalidValue(_, let context) {
            throw DraftError([DraftDiagnostic(path: "", code: .outOfRange, message: context.debugDescription)])
        }
    }

    private static func apply(_ operation: Operation, to document: inout JSONValue) throws(JSONPointer.Fault) {
        switch operation {
        case .add(let place, let value): try place.add(value, to: &document)
        case .remove(let place): _ = try place.remove(from: &document)
        case .replace(let place, let value): try place.replace(with: value, in: &document)
        case .copy(let from, let to): try to.add(try from.value(in: document), to: &document)
        case .move(let from, let to):
            guard !to.isInside(from) else { throw JSONPointer.Fault(message: "'\(from)' cannot be moved into itself") }
            try to.add(try from.remove(from: &document), to: &document)
        case .test(let place, let value):
            guard try place.value(in: document) == value else {
                throw JSONPointer.Fault(message: "'\(place)' is not the value of the test")
            }
        }
    }
}
