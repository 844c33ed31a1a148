/// An operation on a picture, by name: `{"type": "contrast", "amount": 1.2}`. The catalogue of operations declares the
/// names and parameters; the compiler checks them.
package struct Filter: Hashable, Sendable {
    package var type: String
    /// The location of the file that the operation reads, if it reads one.
    package var url: String?
    /// All other fields.
    package var parameters: [String: Double]
    /// The plug-in call, only for type `externalFilter`. In JSON its fields stand beside `type`.
    package var external: PicturePlugin?

    package init(
        type: String, url: String? = nil, parameters: [String: Double] = [:], external: PicturePlugin? = nil
    ) {
        self.type = type
        self.url = url
        self.parameters = parameters
        self.external = external
    }
}

extension Filter: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: MemberName.self)
        try container.encode(type, forKey: MemberName(stringValue: "type"))
        if let url { try container.encode(url, forKey: MemberName(stringValue: "url")) }
        for (name, value) in parameters { try container.encode(value, forKey: MemberName(stringValue: name)) }
        try external?.encode(to: encoder)
    }
}

extension Filter {
    init?(_ reader: inout ObjectReader) {
        let type = reader.string("type", required: true)
        if type == PicturePlugin.filterType {
            guard let external = PicturePlugin(&reader) else { return nil }
            self.init(type: PicturePlugin.filterType, external: external)
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
