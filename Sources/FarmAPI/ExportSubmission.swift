#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Asks for an export: of a document, or of a draft of the library.
///
/// On the wire the document is a JSON value within the body, not a string of JSON; it is taken out again as it was
/// written, to the byte.
public struct ExportSubmission: Hashable, Sendable {
    /// The draft's own text.
    public var document: String?
    public var options: Options

    /// Everything beside the document.
    public struct Options: StrictBody, Hashable {
        /// A draft of the library, instead of a document.
        public var draft: String?
        /// Of that draft; the newest when left out.
        public var revision: Int?
        /// What a person calls it; the draft's title or name when left out.
        public var label: String?
        public var parameters: [String: String]?
        /// As text; numbers and booleans of JSON are read, too, and become the text that means the same.
        public var settings: [String: String]?
        /// -100...100; higher goes first; 0 when left out.
        public var priority: Int?
        /// Workers that carry this tag take its jobs; `default` when left out.
        public var pool: String?

        public init(
            draft: String? = nil, revision: Int? = nil, label: String? = nil, parameters: [String: String]? = nil,
            settings: [String: String]? = nil, priority: Int? = nil, pool: String? = nil
        ) {
            self.draft = draft
            self.revision = revision
            self.label = label
            self.parameters = parameters
            self.settings = settings
            self.priority = priority
            self.pool = pool
        }

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            draft = try values.decodeIfPresent(String.self, forKey: .draft)
            revision = try values.decodeIfPresent(Int.self, forKey: .revision)
            label = try values.decodeIfPresent(String.self, forKey: .label)
            parameters = try values.decodeIfPresent([String: String].self, forKey: .parameters)
            settings = try values.decodeIfPresent([String: SettingText].self, forKey: .settings)?.mapValues(\.text)
            priority = try values.decodeIfPresent(Int.self, forKey: .priority)
            pool = try values.decodeIfPresent(String.self, forKey: .pool)
        }

        public static let fields: Set<String> = [
            "document", "draft", "revision", "label", "parameters", "settings", "priority", "pool",
        ]
    }

    public init(document: String?, options: Options) {
        self.document = document
        self.options = options
    }

    /// - Throws: `EncodingError`.
    public func body() throws -> Data {
        let rest = try FarmJSON.encode(options)
        guard let document else { return rest }
        let separator = rest.count > 2 ? "," : ""
        return Data("{\"document\":".utf8) + Data(document.utf8) + Data(separator.utf8) + rest.dropFirst()
    }

    /// - Throws: `DecodingError`.
    public init(body: Data) throws {
        options = try FarmJSON.decode(Options.self, from: body)
        let text = JSONText(body)
        guard let range = text.value(at: "document"), text.text(range) != "null" else {
            document = nil
            return
        }
        document = text.text(range)
    }
}
