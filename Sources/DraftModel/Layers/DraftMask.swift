package import Vocabulary

/// A mask: a picture over a layer whose opacity or brightness determines how opaque the layer is.
///
/// Lengths are in pixels of the masked picture: the source's own pixels for images and videos, and those of `videoSize`
/// for everything else.
package struct DraftMask: Hashable, Sendable, Encodable {
    package var source: LayerSource
    /// The mask's place in the masked picture. An image or video without `fit` is stretched over the whole picture.
    package var transform: Transform?
    /// `alpha` by default.
    package var channel: MaskChannel?
    /// The standard deviation of the Gaussian blur that softens the mask's edges, 0...500.
    package var feather: Double?
    /// Whether the mask hides what it covers.
    package var inverted: Bool?

    package init(source: LayerSource) {
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

    /// The properties of the mask that may be animated, as key paths of its layer.
    var properties: [AnimatableProperty] {
        [AnimatableProperty(keyPath: "mask.feather", range: DraftMask.featherRange)]
            + (Transform.properties + (transform?.fit?.properties ?? [])).map {
                AnimatableProperty(keyPath: "mask.\($0.keyPath)", range: $0.range)
            }
    }

    /// The properties to which the mask gives a constant value, as key paths of its layer.
    var given: [String] {
        ((feather == nil ? [] : ["feather"]) + (transform?.given ?? [])).map { "mask.\($0)" }
    }
}
