package import FoundationEssentials

/// The body that submits a batch: a template, and rows of values for its merge fields.
package struct BatchSubmission: Hashable, Sendable {
    /// The text of the template, a draft document.
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
        /// The rows: the values by column.
        package var rows: [[String: String]]?
        /// Values of merge fields for all rows; a row's own values take precedence.
        package var parameters: [String: String]?
        package var settings: [String: String]?
        /// The name of each film's file, with merge fields for columns and `{{row}}`.
        package var output: String?
        /// The tags of the exports, with merge fields for columns.
        package var tags: [String: String]?
        /// The metadata of the exports.
        package var metadata: FreeJSON?
        package var priority: Int?
        package var pool: String?
        /// At most this many exports per minute.
        package var pace: Double?
        /// Whether rows without faults are accepted when others have faults.
        package var partial: Bool?

        package init() {}

        package init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            draft = try values.decodeIfPresent(String.self, forKey: .draft)
            revision = try values.decodeIfPresent(Int.self, forKey: .revision)
            label = try values.decodeIfPresent(String.self, forKey: .label)
            rows = try values.decodeIfPresent([[String: SettingText]].self, forKey: .rows)?.map { $0.mapValues(\.text) }
            parameters = try values.decodeIfPresent([String: SettingText].self, forKey: .parameters)?.mapValues(\.text)
            settings = try values.decodeIfPresent([String: SettingText].self, forKey: .settings)?.mapValues(\.text)
            output = try values.decodeIfPresent(String.self, forKey: .output)
            tags = try values.decodeIfPresent([String: String].self, forKey: .tags)
            metadata = try values.decodeIfPresent(FreeJSON.self, forKey: .metadata)
            priority = try values.decodeIfPresent(Int.self, forKey: .priority)
            pool = try values.decodeIfPresent(String.self, forKey: .pool)
            pace = try values.decodeIfPresent(Double.self, forKey: .pace)
            partial = try values.decodeIfPresent(Bool.self, forKey: .partial)
        }

        package static let fields: Set<String> = [
            "document", "draft", "revision", "label", "rows", "parameters", "settings", "output", "tags", "metadata",
            "priority", "pool", "pace", "partial",
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

extension Data {
    /// A body, a JSON object, with a draft document as its member `document`.
    func adding(document: String?) -> Data {
        guard let document else { return self }
        let separator = count > 2 ? "," : ""
        return Data("{\"document\":".utf8) + Data(document.utf8) + Data(separator.utf8) + dropFirst()
    }
}

extension JSONText {
    /// The text of the member `document` of a body; nil where there is none.
    var document: String? {
        guard let range = value(at: "document"), text(range) != "null" else { return nil }
        return text(range)
    }
}
