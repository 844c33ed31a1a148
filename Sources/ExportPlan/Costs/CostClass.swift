package import Vocabulary

/// The jobs whose time is predicted with the same coefficients: those of one kind, and where they encode pictures, of
/// one codec.
package struct CostClass: Hashable, Sendable {
    package let kind: JobKind
    /// The codec that the pictures are encoded with; nil for kinds that encode none.
    package let codec: VideoCodec?

    /// - Parameter codec: ignored for a kind that encodes no pictures.
    /// - Returns: nil for a kind that encodes pictures, and no codec.
    package init?(_ kind: JobKind, codec: VideoCodec? = nil) {
        guard kind.encodesPictures else {
            self.init(kind: kind, codec: nil)
            return
        }
        guard let codec else { return nil }
        self.init(kind: kind, codec: codec)
    }

    private init(kind: JobKind, codec: VideoCodec?) {
        self.kind = kind
        self.codec = codec
    }

    /// All classes. Their number bounds what a model holds.
    package static let all: [CostClass] = JobKind.allCases.flatMap { kind -> [CostClass] in
        kind.encodesPictures
            ? VideoCodec.allCases.map { CostClass(kind: kind, codec: $0) } : [CostClass(kind: kind, codec: nil)]
    }

    /// The name, such as `stitch` or `video h264`.
    package var name: String { kind.rawValue + (codecName.map { " \($0)" } ?? "") }

    package var codecName: String? { codec?.rawValue }

    /// - Returns: nil for a name that this version does not know.
    package init?(name: String) {
        guard let found = CostClass.byName[name] else { return nil }
        self = found
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension CostClass: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let known = CostClass(name: name) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(name)' is no class of jobs")
        }
        self = known
    }
}

extension JobKind {
    /// Whether jobs of the kind encode pictures, so that their time depends on the codec.
    fileprivate var encodesPictures: Bool { self == .video || self == .measure }
}
