public import Vocabulary

/// What of a layer is seen: another picture that lies over it, of whose opacity or brightness the layer has as much.
///
/// Its lengths are in the pixels of the masked picture: a source's own, those of `videoSize` for everything else.
public struct DraftMask: Hashable, Sendable, Encodable {
    public var source: LayerSource
    /// In the masked picture. An image or video without `fit` is stretched over all of it.
    public var transform: Transform?
    /// `alpha` by default.
    public var channel: MaskChannel?
    /// Standard deviation of the Gaussian that softens it, 0...500.
    public var feather: Double?
    /// Hides what it covers.
    public var inverted: Bool?

    public init(source: LayerSource) {
        self.source = source
    }
}

extension DraftMask {
    private static let featherRange = 0.0...500

    init?(_ reader: inout ObjectReader) {
        guard reader.count(.layers) else {
            reader.ignoreTheRest()
            return nil
        }
        let source = reader.object("source", required: true) { LayerSource(&$0) }
        transform = reader.object("transform") { Transform(&$0) }
        channel = reader.choice("channel", MaskChannel.self)
        feather = reader.double("feather", in: DraftMask.featherRange)
        inverted = reader.bool("inverted")
        guard let source else { return nil }
        self.source = source
    }

    /// What may be animated of it, as key paths of its layer.
    var properties: [AnimatableProperty] {
        [AnimatableProperty(keyPath: "mask.feather", range: DraftMask.featherRange)]
            + (Transform.properties + (transform?.fit?.properties ?? [])).map {
                AnimatableProperty(keyPath: "mask.\($0.keyPath)", range: $0.range)
            }
    }

    /// Properties that this mask gives a value, as key paths of its layer.
    var given: [String] {
        ((feather == nil ? [] : ["feather"]) + (transform?.given ?? [])).map { "mask.\($0)" }
    }
}
