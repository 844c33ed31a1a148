import ExportPlan
import Media
import Operations
import Vocabulary

/// A is squeezed towards the middle line, and B shows where A was: `squeezeH` squeezes to a horizontal line, `squeezeV`
/// to a vertical one.
struct Squeeze: TransitionDrawing {
    private let isVertical: Bool

    init(_ kind: TransitionKind) {
        isVertical = kind == .squeezeV
    }

    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let size = target.size
        let extent = isVertical ? size.width : size.height
        // The source of each column (row) of the squeezed picture. Nil where B shows.
        let places = (0..<extent).map { position -> Int32? in
            let place = 0.5 + (Float(position) / Float(extent) - 0.5) / progress.remaining
            return place < 0 || place > 1 ? nil : Int32((place * Float(extent - 1)).rounded(.toNearestOrEven))
        }
        // A chroma sample beside the edge is half A. Its other half has no source in A and reads the same column (row).
        let filled = places.indices.map { places[$0] ?? places[$0 ^ 1] ?? 0 }
        let isIncoming = places.map { $0 == nil ? UInt16(Blend.one) : 0 }
        var grid = SourceGrid(size)
        if isVertical { grid.columns = filled } else { grid.rows = filled }
        mixPictures(MixInput(from, through: grid), MixInput(to), into: target) { row, weights in
            if isVertical {
                for x in 0..<size.width { weights[x] = isIncoming[x] }
            } else {
                weights.update(repeating: isIncoming[row], count: size.width)
            }
        }
    }
}

/// A is enlarged about its middle while `p < 1/2`. B fades in over it from `p = 1/2` on.
struct ZoomIn: TransitionDrawing {
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let size = target.size
        let scale = smoothStep(from: 0.5, to: 1, progress.remaining)
        func sources(_ extent: Int) -> [Int32] {
            (0..<extent).map { position in
                let place = 0.5 + (Float(position) / Float(extent) - 0.5) * scale
                return Int32((place * Float(extent - 1)).rounded(.up))
            }
        }
        var grid = SourceGrid(size)
        grid.columns = sources(size.width)
        grid.rows = sources(size.height)
        let weight = WeightField.weight(1 - smoothStep(from: 0, to: 0.5, progress.remaining))
        mixPictures(MixInput(from, through: grid), MixInput(to), into: target) { _, weights in
            weights.update(repeating: weight, count: size.width)
        }
    }
}

/// Both pictures turn into squares of up to a twentieth of the frame's shorter side and back, while A dissolves into B.
struct Pixelize: TransitionDrawing {
    func draw(_ from: VideoFrame, _ to: VideoFrame, _ progress: TransitionProgress, into target: VideoFrame) {
        let size = target.size
        // The squares grow and shrink in fifty steps.
        let coarseness = (min(progress.remaining, 1 - progress.remaining) * 50).rounded(.up) / 50
        let side = 2 * coarseness * Float(min(size.width, size.height)) / 20
        func sources(_ extent: Int) -> [Int32] {
            (0..<extent).map { position in
                let middle = ((Float(position) / side).rounded(.down) + 0.5) * side
                return Int32(min(middle, Float(extent - 1)))
            }
        }
        var grid = SourceGrid(size)
        if coarseness > 0 {
            grid.columns = sources(size.width)
            grid.rows = sources(size.height)
        }
        let weight = WeightField.weight(1 - progress.remaining)
        mixPictures(MixInput(from, through: grid), MixInput(to, through: grid), into: target) { _, weights in
            weights.update(repeating: weight, count: size.width)
        }
    }
}
