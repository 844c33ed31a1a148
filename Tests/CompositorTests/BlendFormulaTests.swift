import Compositor
import Testing
import Vocabulary

/// Blend modes compared with `referenceBlend`.
@Suite struct BlendFormulaTests {
    @Test("Each mode equals its formula within half a code value for all 8-bit pairs", arguments: BlendMode.allCases)
    func formulas(_ mode: BlendMode) {
        let blend = BlendFormula(mode)
        var worst = 0.0
        for b in 0...255 {
            for s in 0...255 {
                let wanted = referenceBlend(mode, Double(b) / 255, Double(s) / 255)
                worst = max(worst, abs(Double(blend.mix(Float(b) / 255, Float(s) / 255)) - wanted))
            }
        }
        #expect(worst < 0.5 / 255)
    }

    @Test("Over a transparent background every mode gives the source's own colour", arguments: BlendMode.allCases)
    func nothingBelow(_ mode: BlendMode) {
        let source = SIMD3<Float>(0.2, 0.5, 0.9)
        #expect(BlendFormula(mode).blend(source, over: SIMD3(0.7, 0.1, 0.4), covered: 0) == source)
    }
}
