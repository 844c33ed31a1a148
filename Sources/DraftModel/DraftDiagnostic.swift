/// One thing that is wrong with a draft (or with export settings), at one place in the document.
public struct DraftDiagnostic: Codable, Hashable, Sendable {
    /// The closed list of what can be wrong.
    public enum Code: String, Codable, Sendable {
        /// Not JSON at all.
        case syntax
        case missingField, unknownField, wrongType, invalidValue, outOfRange
        /// The specification knows it, this version cannot render it.
        case unsupported
        /// Two fields that contradict each other.
        case conflict
        case duplicateID
        /// Nothing to show.
        case noClips
        case transitionOnFirstClip, transitionTooLong
        /// The range ends before it starts, or lies beyond the source's end.
        case emptyRange
        /// A merge field without a value, or a value without a merge field.
        case missingParameter, unknownParameter
        /// The kind of location, or the directory, is not allowed.
        case forbiddenSource
        case missingSource, unreadableSource
    }

    /// The field, as in `mainTrackClips[2].speed`; empty for the document itself.
    public var path: String
    public var code: Code
    /// What is wrong and what to do about it.
    public var message: String

    public init(path: String, code: Code, message: String) {
        self.path = path
        self.code = code
        self.message = message
    }
}

/// Every diagnostic of one draft, thrown together.
public struct DraftError: Error, Equatable, Sendable, CustomStringConvertible {
    public var diagnostics: [DraftDiagnostic]

    public init(_ diagnostics: [DraftDiagnostic]) {
        self.diagnostics = diagnostics
    }

    public var description: String {
        diagnostics.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }.joined(separator: "\n")
    }
}

/// Where readers put what they find wrong, so that one fault does not hide the next.
final class DiagnosticCollector {
    private(set) var diagnostics: [DraftDiagnostic] = []

    func report(_ path: String, _ code: DraftDiagnostic.Code, _ message: String) {
        diagnostics.append(DraftDiagnostic(path: path, code: code, message: message))
    }

    /// Reads a JSON document, and goes on past every fault.
    /// - Parameter read: reads the value with the collector that it is given; throws where the text is no JSON.
    /// - Returns: the value as far as it can be read (nil when it is not a JSON object), and all that is wrong with it.
    static func reading<Value>(
        _ read: (DiagnosticCollector) throws -> Value?
    ) -> (value: Value?, diagnostics: [DraftDiagnostic]) {
        let collector = DiagnosticCollector()
        do {
            let value = try read(collector)
            return (value, collector.diagnostics)
        } catch let error as DraftError {
            return (nil, error.diagnostics)
        } catch {
            return (nil, [DraftDiagnostic(path: "", code: .syntax, message: "this is not JSON: \(error)")])
        }
    }
}
