import DraftModel
import ExactTime
import ExportPlan
import Vocabulary

/// Lowers effects on the whole picture to layers directly above the main track. A filter, a lookup table or a plug-in
/// becomes an adjustment layer. A sticker becomes a picture that is stretched into its rectangle.
struct EffectLowering {
    let format: PictureFormat
    let facts: [String: SourceFacts]

    /// - Returns: nil for an effect that draws nothing.
    func lower(_ effect: Effect, _ range: TimeRange) -> Layer? {
        switch effect.type {
        case .filter:
            return effect.operation.flatMap { adjustment($0, range) }
        case .externalFilter:
            return effect.external.flatMap { adjustment(Filter(type: PicturePlugin.filterType, external: $0), range) }
        case .lut:
            let filter = Filter(type: "lut", url: effect.url, parameters: effect.intensity.map { ["intensity": $0] } ?? [:])
            return adjustment(filter, range)
        case .imageSticker:
            return sticker(effect, range)
        case .speed, .repetition, .freeze, .cut:
            return nil
        }
    }

    private func adjustment(_ filter: Filter, _ range: TimeRange) -> Layer? {
        lowerOperations(
            [filter], AnimatedProperties(nil, from: range.start), list: "", scale: format.scale.x, facts: facts
        ).map { Layer(content: .adjustment, timeRange: range, operations: $0) }
    }

    private func sticker(_ effect: Effect, _ range: TimeRange) -> Layer? {
        guard let url = effect.url, let rect = effect.destRect, let found = facts[url], let picture = found.video else {
            return nil
        }
        var content = Layer.Content.still(source: found.contentHash)
        if picture.isAnimatedPicture {
            let playedOnce = TimeRange(start: .zero, duration: found.duration)
            content = .video(
                source: found.contentHash,
                timing: SourceTiming(timelineStart: range.start, sourceStart: .zero, rate: .one, loop: playedOnce))
        }
        let size = picture.displaySize
        return Layer(
            content: content, timeRange: range,
            placement: Placement(
                orientation: picture.orientation, region: .whole, destination: PixelRect(x: 0, y: 0, width: 2, height: 2)),
            transform: lowerTransform(
                Transform(fit: Transform.Fit(rect: rect, mode: .fill)), AnimatedProperties(nil, from: .zero),
                width: Rational(size.width), height: Rational(size.height), scale: format.scale, format: format))
    }
}
