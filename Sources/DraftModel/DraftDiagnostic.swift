/// One thing that is wrong with a draft (or with export settings) or that its author should know, at one place in the document.
public struct DraftDiagnostic: Codable, Hashable, Sendable {
    /// How much it matters.
    public enum Severity: String, Codable, Sendable {
        /// The draft cannot be rendered.
        case error
        /// The draft is rendered, but not as its author may have meant it.
        case warning
    }

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
        /// A warning: the range goes beyond the end of its source and is shortened.
        case shortenedRange
        /// A warning: the field changes nothing here.
        case noEffect
        /// A warning: damage inside a source was concealed.
        case damagedSource
        /// The last entry of a list that would be too long: `omitted` says how many it stands for.
        case more
    }

    /// The field, as in `mainTrackClips[2].speed`; empty for the document itself.
    public var path: String
    public var code: Code
    public var severity: Severity
    /// What is wrong.
    public var message: String
    /// What to do about it, where the message does not say it already.
    public var remedy: String?
    /// How many diagnostics this one stands for; of `more`, and only there.
    public var omitted: Int?

    public init(path: String, code: Code, severity: Severity = .error, message: String, remedy: String? = nil) {
        self.path = path
        self.code = code
        self.severity = severity
        self.message = message
        self.remedy = remedy
    }

    /// Reads also what versions without severities wrote: their diagnostics are errors.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        path = try values.decode(String.self, forKey: .path)
        code = try values.decode(Code.self, forKey: .code)
        severity = try values.decodeIfPresent(Severity.self, forKey: .severity) ?? .error
        message = try values.decode(String.self, forKey: .message)
        remedy = try values.decodeIfPresent(String.self, forKey: .remedy)
        omitted = try values.decodeIfPresent(Int.self, forKey: .omitted)
    }

    /// The same of a document that stands inside another one.
    /// - Parameter field: where it stands, as in `settings`.
    public func under(_ field: String) -> DraftDiagnostic {
        var diagnostic = self
        diagnostic.path = path.isEmpty ? field : "\(field).\(path)"
        return diagnostic
    }

    /// One line for a person: severity, place, what is wrong, what to do.
    public var line: String {
        let place = path.isEmpty ? "" : "\(path): "
        let remedy = remedy.map { "; \($0)" } ?? ""
        return "\(severity.rawValue): \(place)\(message)\(remedy)"
    }
}

extension [DraftDiagnostic] {
    /// Diagnostics that make the draft impossible to render.
    public var errors: [DraftDiagnostic] { filter { $0.severity == .error } }
    /// Diagnostics that do not.
    public var warnings: [DraftDiagnostic] { filter { $0.severity == .warning } }
}

/// Every diagnostic of one draft, thrown together.
public struct DraftError: Error, Equatable, Sendable, CustomStringConvertible {
    public var diagnostics: [DraftDiagnostic]

    public init(_ diagnostics: [DraftDiagnostic]) {
        self.diagnostics = diagnostics
    }

    public var description: String {
        diagnostics.errors.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" }.joined(separator: "\n")
    }
}
