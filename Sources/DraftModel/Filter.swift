/// An operation on a picture, by name: `{"type": "contrast", "amount": 1.2}`. What names and parameters there are says the
/// catalogue of operations, which the compiler asks.
public struct Filter: Hashable, Sendable {
    public var type: String
    /// The file that it reads, if it reads one.
    public var url: String?
    /// Every other field.
    public var parameters: [String: Double]
    /// Of the type `externalFilter`, and only there: its fields stand beside `type`.
    public var external: ExternalFilter?

    public init(
        type: String, url: String? = nil, parameters: [String: Double] = [:], external: ExternalFilter? = nil
    ) {
        self.type = type
        self.url = url
        self.parameters = parameters
        self.external = external
    }
}

extension Filter: Encodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(type, forKey: Name(stringValue: "type"))
        if let url { try container.encode(url, forKey: Name(stringValue: "url")) }
        for (name, value) in parameters { try container.encode(value, forKey: Name(stringValue: name)) }
        try external?.encode(to: encoder)
    }
}

extension Filter {
    init?(_ reader: inout ObjectReader) {
        let type = reader.string("type", required: true)
        if type == ExternalFilter.type {
            guard let external = ExternalFilter(&reader) else { return nil }
            self.init(type: ExternalFilter.type, external: external)
            return
        }
        let url = reader.location("url")
        var parameters: [String: Double] = [:]
        for name in reader.parameterNames(of: "this operation") {
            parameters[name] = reader.double(name, in: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
        }
        guard let type else { return nil }
        self.init(type: type, url: url, parameters: parameters)
    }
}
