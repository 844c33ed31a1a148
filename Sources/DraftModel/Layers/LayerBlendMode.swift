package import Vocabulary

/// How a layer is joined with what lies below it: `"multiply"`, or a mixer of one's own, `{"type": "external", "name":
/// "burn", "parameters": {...}}`.
package enum LayerBlendMode: Hashable, Sendable {
    case named(BlendMode)
    case external(PicturePlugin)

    /// The type of an object in the place of a name.
    fileprivate enum Kind: String, CaseIterable, Encodable { case external }

    /// The plug-in; nil for a blend mode with a name.
    package var mixer: PicturePlugin? {
        if case .external(let plugin) = self { plugin } else { nil }
    }

    /// The blend mode; nil for a plug-in.
    package var named: BlendMode? {
        if case .named(let mode) = self { mode } else { nil }
    }
}

extension LayerBlendMode: Encodable {
    private enum CodingKeys: String, CodingKey { case type }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .named(let mode):
            var container = encoder.singleValueContainer()
            try container.encode(mode)
        case .external(let plugin):
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Kind.external, forKey: .type)
            try plugin.encode(to: encoder)
        }
    }
}

extension ObjectReader {
    /// Reads a blend mode: its name, or an object that calls a plug-in.
    mutating func layerBlendMode(_ name: String) -> LayerBlendMode? {
        guard case .object = value(name) else { return choice(name, BlendMode.self).map(LayerBlendMode.named) }
        return object(name) { reader in
            guard reader.kind("type", LayerBlendMode.Kind.self, of: "blend mode", later: []) != nil else { return nil }
            return PicturePlugin(&reader).map(LayerBlendMode.external)
        }
    }
}
