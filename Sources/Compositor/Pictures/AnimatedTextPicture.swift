import ExactTime
import ExportPlan
import TextRendering
import Media
import Vocabulary

/// A text that animates in. Its units (characters, words or lines) are drawn once and then composed, in each frame,
/// onto a frame of their own at their current places. When all units have arrived, the picture is that of the text at
/// rest.
///
/// Background box and shadow belong to the whole text. They animate with the units' mean progress.
final class AnimatedTextPicture: LayerPicture {
    private struct Unit {
        /// Nil for what belongs to the whole text: background box and shadow.
        var index: Int?
        var box: DrawnUnit.Box
        /// Where the text's coordinates begin in the picture's samples.
        var origin: (x: Double, y: Double)
        var picture: RasterPicture
    }

    let width: Double
    let height: Double
    private let animation: TextAnimation
    private let frameRate: FrameRate
    private let whole: DrawnLayerPicture
    private let units: [Unit]
    private let count: Int
    /// How many pixels around the text the layer's operations may carry it.
    private let margin: Int
    /// Where the text's coordinates begin in the samples of the last picture. Nil if that was the text at rest.
    private var origin: (x: Double, y: Double)?

    init(
        _ text: TextContent, _ animation: TextAnimation, of layer: Layer, isExact: Bool, _ typesetter: Typesetter,
        _ context: PaintContext
    ) throws(MediaError) {
        self.animation = animation
        frameRate = context.frameRate
        margin = DrawnLayerPicture.margin(for: layer)
        whole = try DrawnLayerPicture(text, of: layer, isExact: isExact, typesetter, context.drawnColors)
        (width, height) = (whole.width, whole.height)
        let drawn: [DrawnUnit]
        do throws(TextRenderingError) {
            drawn = try typesetter.units(of: text, by: animation.unit)
        } catch {
            throw MediaError(error)
        }
        units = try drawn.map { unit throws(MediaError) in
            Unit(
                index: unit.index, box: unit.box,
                origin: (Double(unit.picture.origin.x), Double(unit.picture.origin.y)),
                picture: try RasterPicture(unit.picture, context.drawnColors))
        }
        count = 1 + (drawn.compactMap(\.index).max() ?? 0)
    }

    var isStill: Bool { false }

    func picture(atFrame index: Int) throws(MediaError) -> RasterPicture {
        let progress = progress(atFrame: index)
        guard isOnTheWay(progress) else {
            origin = nil
            return whole.picture(atFrame: index)
        }
        let mean = progress.reduce(0, +) / Double(count)
        let placed = units.map { unit in
            let method = unit.index.map { progress[$0] } ?? mean
            return (
                picture: unit.picture,
                map: unit.index == nil ? AffineMap.identity.beginning(at: unit.origin) : map(of: unit, method),
                opacity: min(1, animation.from.opacity + (1 - animation.from.opacity) * method)
            )
        }
        let bounds = placed.map { $0.map.reach(of: $0.picture.frame.size) }
        let (left, top) = (even(bounds.map(\.x.lowerBound).min(), -margin), even(bounds.map(\.y.lowerBound).min(), -margin))
        let right = even(bounds.map(\.x.upperBound).max(), margin) + 2
        let bottom = even(bounds.map(\.y.upperBound).max(), margin) + 2
        let surface = try Surface(transparent: FrameSize(width: max(2, right - left), height: max(2, bottom - top)))
        for unit in placed where unit.opacity > 0 {
            var map = unit.map
            map.x0 -= Double(left)
            map.y0 -= Double(top)
            guard let drawn = try PictureWarp.rasterize(unit.picture, .affine(map), on: surface.size) else { continue }
            try surface.draw(drawn.picture, at: drawn.rect, opacity: unit.opacity, mode: .normal)
        }
        origin = (Double(-left), Double(-top))
        return surface.picture
    }

    func ofSamples(_ map: AffineMap, in picture: RasterPicture) -> AffineMap {
        origin.map { map.beginning(at: $0) } ?? whole.ofSamples(map, in: picture)
    }

    /// The text at rest is drawn once.
    var repetition: Explanation.Repetition { origin == nil ? .once : .everyFrame }

    private func progress(atFrame index: Int) -> [Double] {
        let time = frameRate.time(ofFrame: index)
        return (0..<count).map { animation.progress(ofUnit: $0, at: time) }
    }

    private func isOnTheWay(_ progress: [Double]) -> Bool { progress.contains { $0 != 1 } }

    /// The map from a unit's samples to the text's coordinates.
    private func map(of unit: Unit, _ progress: Double) -> AffineMap {
        let (from, rest) = (animation.from, 1 - progress)
        let scale = 1 + (from.scale - 1) * rest
        let middle = (x: unit.box.x + unit.box.width / 2, y: unit.box.y + unit.box.height / 2)
        return AffineMap(
            scale: scale, rotation: from.rotation * rest, about: middle,
            to: (middle.x + from.x * rest, middle.y + from.y * rest)
        ).beginning(at: unit.origin)
    }

    /// An edge on an even sample, with a margin around what is drawn. Anything farther out than 16,384 pixels is cut.
    private func even(_ value: Double?, _ margin: Int) -> Int {
        Int((min(max((value ?? 0) + Double(margin), -16_384), 16_384) / 2).rounded(.down)) * 2
    }
}
