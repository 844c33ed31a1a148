package import FoundationEssentials

/// The body that submits an export, of a document or of a draft in the library.
///
/// On the wire the document is a JSON value within the body, not a string of JSON. Reading the body gives back the
/// document's exact bytes.
package struct ExportSubmission: Hashable, Sendable {
    /// The text of the draft document.
    package var document: String?
    package var options: Options

    /// All fields of the body except the document.
    package struct Options: StrictBody, Hashable {
        /// The name of a draft in the library, instead of a document.
        package var draft: String?
        /// The revision of that draft; by default the newest.
        package var revision: Int?
        /// A name for people; by default the draft's title or name.
        package var label: String?
        package var parameters: [String: String]?
        /// Settings as text. Numbers and booleans of JSON are accepted and become the text that means the same.
        package var settings: [String: String]?
        /// The export's priority, -100...100; higher goes first. It is 0 by default, or the tenant's cap where that is lower.
        package var priority: Int?
        /// Only workers with this tag take the export's jobs; by default `default`.
        package var pool: String?
        /// Keys with values by which exports are listed.
        package var tags: [String: String]?
        /// Any JSON object; it is given back with the export.
        package var metadata: FreeJSON?

        package init(
            draft: String? = nil, revision: Int? = nil, label: String? = nil, parameters: [String: String]? = nil,
            settings: [String: String]? = nil, priority: Int? = nil, pool: String? = nil, tags: [String: String]? = nil,
            metadata: FreeJSON? = nil
        ) {
            self.draft = draft
            self.revision = revision
            self.label = label
            self.parameters = parameters
            self.settings = settings
            self.priority = priority
            self.pool = pool
            self.tags = tags
            self.metadata = metadata
        }

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            draft = try values.decodeIfPresent(String.self, forKey: .draft)
            revision = try values.decodeIfPresent(Int.self, forKey: .revision)
            label = try values.decodeIfPresent(String.self, forKey: .label)
            parameters = try values.decodeIfPresent([String: String].self, forKey: .parameters)
            settings = try values.decodeIfPresent([String: SettingText].self, forKey: .settings)?.mapValues(\.text)
            priority = try values.decodeIfPresent(Int.self, forKey: .priority)
            pool = try values.decodeIfPresent(String.self, forKey: .pool)
            tags = try values.decodeIfPresent([String: String].self, forKey: .tags)
            metadata = try values.decodeIfPresent(FreeJSON.self, forKey: .metadata)
        }

        package static let fields: Set<String> = [
            "document", "draft", "revision", "label", "parameters", "settings", "priority", "pool", "tags", "metadata",
        ]
    }

    package init(document: String?, options: Options) {
        self.document = document
        self.options = options
    }

    /// - Throws: `EncodingError`.
    package func body() throws -> Data { try FarmJSON.encode(options).adding(document: document) }

    /// - Throws: `DecodingError`.
    package init(body: Data) throws {
        options = try FarmJSON.decode(Options.self, from: body)
        document = JSONText(body).document
    }
}
