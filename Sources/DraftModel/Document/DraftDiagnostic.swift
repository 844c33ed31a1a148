/// An error or a warning about one place in a draft or in export settings.
package struct DraftDiagnostic: Codable, Hashable, Sendable {
    /// Whether the draft can still be rendered.
    package enum Severity: String, CaseIterable, Codable, Sendable {
        /// The draft cannot be rendered.
        case error
        /// The draft is rendered, but not as its author may have meant it.
        case warning
    }

    /// The closed list of faults.
    package enum Code: String, CaseIterable, Codable, Sendable {
        /// The text is not JSON.
        case syntax
        case missingField, unknownField, wrongType, invalidValue, outOfRange
        /// The specification has the feature, but this version cannot render it.
        case unsupported
        /// Two fields contradict each other.
        case conflict
        case duplicateID
        /// There is nothing to show.
        case noClips
        case transitionOnFirstClip, transitionTooLong
        /// The range ends before it starts, or lies beyond the source's end.
        case emptyRange
        /// A merge field has no value, or a value has no merge field.
        case missingParameter, unknownParameter
        /// The kind of location, or the directory, is not allowed.
        case forbiddenSource
        case missingSource, unreadableSource
        /// A warning: the range goes beyond the end of its source and is shortened.
        case shortenedRange
        /// A warning: the field has no effect here.
        case noEffect
        /// A warning: damage inside a source was concealed.
        case damagedSource
        /// A warning: a drawing has text, which looks as the fonts of the machine that draws it do.
        case textInDrawing
        /// A warning: an animation has something that is not drawn.
        case undrawnInAnimation
        /// A warning: a picture's ICC profile is not used.
        case unusedProfile
        /// A warning: a file has several picture or sound streams, and the draft chooses none of them.
        case unusedStream
        /// A warning: a picture is drawn with more than twice as many pixels each way as it has.
        case enlarged
        /// A warning: a crop has another shape than the frame.
        case cropShape
        /// A warning: the film shows pictures several times, because no source has as many a second.
        case repeatedFrames
        /// The last entry of a list that would be too long. `omitted` is the number of diagnostics that it stands for.
        case more
    }

    /// The path of the field, as in `mainTrackClips[2].speed`; empty for the document itself.
    package var path: String
    /// The `id` of the clip, audio clip, effect or layer that contains the field; nil if it has none.
    package var id: String?
    package var code: Code
    package var severity: Severity
    /// What is wrong.
    package var message: String
    /// How to correct it, unless the message already says so.
    package var remedy: String?
    /// The number of diagnostics that this one stands for; only with code `more`.
    package var omitted: Int?

    package init(path: String, code: Code, severity: Severity = .error, message: String, remedy: String? = nil) {
        self.path = path
        self.code = code
        self.severity = severity
        self.message = message
        self.remedy = remedy
    }

    /// Reads also diagnostics of versions without severities. All of those are errors.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        path = try values.decode(String.self, forKey: .path)
        id = try values.decodeIfPresent(String.self, forKey: .id)
        code = try values.decode(Code.self, forKey: .code)
        severity = try values.decodeIfPresent(Severity.self, forKey: .severity) ?? .error
        message = try values.decode(String.self, forKey: .message)
        remedy = try values.decodeIfPresent(String.self, forKey: .remedy)
        omitted = try values.decodeIfPresent(Int.self, forKey: .omitted)
    }

    /// The same diagnostic for a document that is nested in another one.
    /// - Parameter field: the path of the nested document, as in `settings`.
    package func under(_ field: String) -> DraftDiagnostic {
        var diagnostic = self
        diagnostic.path = path.isEmpty ? field : "\(field).\(path)"
        return diagnostic
    }

    /// The diagnostic as one line of text: severity, place, message and remedy.
    package var line: String {
        let remedy = remedy.map { "; \($0)" } ?? ""
        return "\(severity.rawValue): \(placedMessage)\(remedy)"
    }

    /// The message behind its place, as in `mainTrackClips[2].speed ('intro'): must be...`.
    package var placedMessage: String {
        guard !path.isEmpty else { return message }
        return "\(path)\(id.map { " ('\($0)')" } ?? ""): \(message)"
    }
}

extension [DraftDiagnostic] {
    /// The errors, which make the draft impossible to render.
    package var errors: [DraftDiagnostic] { filter { $0.severity == .error } }
    /// The warnings.
    package var warnings: [DraftDiagnostic] { filter { $0.severity == .warning } }

    /// A sentence that counts the errors, such as `the draft or its settings have 2 errors`.
    /// - Parameter what: what has them, in the plural.
    package func errorCount(of what: String) -> String {
        let count = errors.count
        return "\(what) have \(count == 1 ? "one error" : "\(count) errors")"
    }
}

/// All diagnostics of one draft, thrown together.
package struct DraftError: Error, Equatable, Sendable, CustomStringConvertible {
    package var diagnostics: [DraftDiagnostic]

    package init(_ diagnostics: [DraftDiagnostic]) {
        self.diagnostics = diagnostics
    }

    package var description: String {
        diagnostics.errors.map(\.placedMessage).joined(separator: "\n")
    }
}
