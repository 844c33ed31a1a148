import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// The frame over a picture that a mask is drawn on.
struct MaskFrame {
    /// The size that the mask's lengths are measured in.
    var size: FrameSize
    /// The size in samples, which is that of the picture.
    var canvas: FrameSize

    init(size: FrameSize, canvas: FrameSize) {
        self.size = size
        self.canvas = canvas
    }

    /// The frame over a part of a source's picture, which is drawn in its own pixels.
    init(of region: Region, _ size: FrameSize) {
        canvas = FrameSize(
            evenlyAround: region.width.doubleValue * Double(size.width), region.height.doubleValue * Double(size.height))
        self.size = canvas
    }
}

extension LayerLowering {
    /// Lowers the mask of a layer.
    /// - Parameters:
    ///   - timeRange: when the masked layer is seen.
    ///   - animated: the animated properties of the mask.
    func lower(
        _ mask: DraftMask, over frame: MaskFrame, during timeRange: TimeRange, _ animated: AnimatedProperties
    ) -> LayerMask {
        var inside = format
        inside.videoSize = frame.size
        inside.canvas = frame.canvas
        var layer = LayerLowering(format: inside, facts: facts, fonts: fonts).lower(mask.layer(during: timeRange), animated)
        if layer?.timeRange == timeRange { layer?.timeRange = nil }
        return LayerMask(
            layers: layer.map { [$0] } ?? [], size: frame.canvas, channel: mask.channel ?? .alpha,
            feather: animated.value("feather", mask.feather ?? 0).scaled(by: inside.scale.x.doubleValue),
            isInverted: mask.inverted == true)
    }
}

extension DraftMask {
    /// The layer that draws the mask, in the masked picture's frame.
    func layer(during timeRange: TimeRange) -> DraftLayer {
        var layer = DraftLayer(timeRange: timeRange, source: source)
        layer.transform = transform
        if source.type == .image || source.type == .video, transform?.fit == nil {
            let whole = Rect(x: .zero, y: .zero, width: .one, height: .one, unit: .ratio)
            layer.transform = layer.transform ?? Transform()
            layer.transform?.fit = Transform.Fit(rect: whole, mode: .fill)
        }
        return layer
    }
}
