import Compositor
import Testing
import Vocabulary

/// Blend modes compared with `referenceBlend`.
@Suite struct BlendFormulaTests {
    private static let separable = BlendMode.allCases.filter(\.isSeparable)
    private static let others = BlendMode.allCases.filter { !$0.isSeparable }

    @Test("A mode for each channel equals its formula within half a code value for all 8-bit pairs", arguments: separable)
    func channels(_ mode: BlendMode) {
        let blend = BlendFormula(mode)
        var worst = 0.0
        for b in 0...255 {
            for s in 0...255 {
                let wanted = referenceBlend(mode, Double(b) / 255, Double(s) / 255)
                // The other channels must not matter.
                let found = blend.mix(SIMD3(Float(b), 0, 255) / 255, SIMD3(Float(s), 255, 0) / 255)
                worst = max(worst, abs(Double(found.x) - wanted))
            }
        }
        #expect(worst < 0.5 / 255)
    }

    @Test("A mode for whole colours equals its formula and stays within 0...1 for colours and greys", arguments: others)
    func colors(_ mode: BlendMode) {
        let blend = BlendFormula(mode)
        let levels = [0, 1, 64, 127, 200, 254, 255]
        let colors = levels.flatMap { r in levels.flatMap { g in levels.map { SIMD3(Float(r), Float(g), Float($0)) / 255 } } }
        var worst = 0.0
        for b in colors {
            for s in colors {
                let found = blend.mix(b, s)
                let difference = SIMD3<Double>(found) - referenceBlend(mode, SIMD3<Double>(b), SIMD3<Double>(s))
                worst = max(worst, max(difference.max(), -difference.min()))
                guard found.min() >= 0, found.max() <= 1 else { return #expect(Bool(false), "\(found) for \(b) and \(s)") }
            }
        }
        #expect(worst < 0.5 / 255)
    }

    @Test("Modes for whole colours give what cairo 1.16 gives")
    func cairo() {
        for (backdrop, source, results) in BlendFormulaTests.cairoResults {
            for (mode, wanted) in zip(BlendFormulaTests.others, results) {
                let found = 255 * BlendFormula(mode).mix(backdrop / 255, source / 255)
                // cairo computes with 8 bits.
                let difference = found - wanted
                #expect(max(difference.max(), -difference.min()) <= 1.5, "\(mode), \(source) on \(backdrop): \(found)")
            }
        }
    }

    /// Pixels drawn by cairo with `CAIRO_OPERATOR_HSL_HUE`, `_SATURATION`, `_COLOR` and `_LUMINOSITY`: the backdrop, the
    /// source and the four results.
    private static let cairoResults: [(SIMD3<Float>, SIMD3<Float>, [SIMD3<Float>])] = [
        ([200, 60, 90], [70, 180, 30], [[49, 152, 11], [207, 56, 89], [44, 155, 4], [226, 85, 115]]),
        ([20, 20, 240], [250, 240, 10], [[51, 49, 0], [18, 18, 255], [51, 49, 0], [213, 213, 255]]),
        ([128, 128, 128], [255, 0, 0], [[128, 128, 128], [128, 128, 128], [255, 73, 73], [76, 76, 76]]),
        ([0, 0, 0], [10, 200, 90], [[0, 0, 0], [0, 0, 0], [0, 0, 0], [131, 131, 131]]),
        ([255, 255, 255], [10, 200, 90], [[255, 255, 255], [255, 255, 255], [255, 255, 255], [131, 131, 131]]),
        ([90, 30, 60], [30, 30, 30], [[51, 51, 51], [51, 51, 51], [51, 51, 51], [68, 8, 38]]),
        ([120, 155, 52], [202, 245, 79], [[126, 153, 49], [112, 169, 2], [121, 164, 0], [201, 236, 133]]),
        ([46, 34, 10], [205, 148, 30], [[46, 34, 9], [50, 33, 0], [50, 33, 0], [163, 151, 127]]),
        ([113, 184, 141], [88, 54, 134], [[171, 141, 212], [107, 188, 139], [173, 139, 219], [28, 99, 56]]),
        ([109, 13, 133], [139, 99, 84], [[119, 32, 0], [80, 35, 91], [84, 44, 29], [163, 67, 188]]),
    ]

    @Test("Over a transparent background every mode gives the source's own colour", arguments: BlendMode.allCases)
    func nothingBelow(_ mode: BlendMode) {
        let source = SIMD3<Float>(0.2, 0.5, 0.9)
        #expect(BlendFormula(mode).blend(source, over: SIMD3(0.7, 0.1, 0.4), covered: 0) == source)
    }
}
