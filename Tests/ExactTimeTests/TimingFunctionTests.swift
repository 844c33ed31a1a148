import ExactTime
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct TimingFunctionTests {
    @Test("Penner's 31 curves are his published equations within 1e-9", arguments: PennerEasing.published.keys.sorted())
    func penner(name: String) throws {
        #expect(PennerEasing.published.count == 31)
        let function = try #require(TimingFunction(name))
        let equation = try #require(PennerEasing.published[name])
        for step in 0...1000 {
            let progress = Double(step) / 1000
            // Of 3 seconds, from 0 by 1.
            let wanted = equation(progress * 3, 0, 1, 3)
            #expect(abs(function.value(at: progress) - wanted) < 1e-9, "at \(progress)")
        }
    }

    @Test("Every curve begins at exactly 0, ends at exactly 1, and holds its ends beyond", arguments: TimingFunction.names)
    func ends(name: String) throws {
        let function = try #require(TimingFunction(name))
        #expect([-1, 0].map(function.value) == [0, 0])
        #expect([1, 2].map(function.value) == [1, 1])
    }

    @Test("Hold stays until the very end")
    func hold() {
        #expect(TimingFunction.hold.value(at: 0.999_999) == 0)
    }

    @Test("A cubic Bézier passes the points of its own parametric form", arguments: 0..<200)
    func bezier(seed: Int) throws {
        func number(_ salt: Int) -> Double { Double((seed * 7919 + salt * 104_729) % 1000) / 999 }
        let (x1, y1, x2, y2) = (number(1), number(2) * 3 - 1, number(3), number(4) * 3 - 1)
        let function = try #require(TimingFunction("cubicBezier(\(x1),\(y1), \(x2),\(y2))"))
        for step in 1..<100 {
            let t = Double(step) / 100
            let r = 1 - t
            let x = 3 * r * r * t * x1 + 3 * r * t * t * x2 + t * t * t
            let y = 3 * r * r * t * y1 + 3 * r * t * t * y2 + t * t * t
            // Where the curve is nearly upright its height says little about x.
            let slope = 3 * r * r * x1 + 6 * r * t * (x2 - x1) + 3 * t * t * (1 - x2)
            guard slope > 1e-3 else { continue }
            #expect(abs(function.value(at: x) - y) < 1e-9, "at \(t) of \(function.text)")
        }
    }

    @Test("A timing function reads back as it was written", arguments: TimingFunction.names + ["cubicBezier(0.1,-0.5,0.9,1.5)"])
    func text(name: String) throws {
        let function = try #require(TimingFunction(name))
        #expect(function.text == name)
        #expect(try JSONDecoder().decode(TimingFunction.self, from: try JSONEncoder().encode(function)) == function)
    }

    @Test(
        "What is no timing function is refused",
        arguments: [
            "", "ease", "QuadIn", "cubicBezier(0,0,1)", "cubicBezier(0,0,1,1,1)", "cubicBezier(-0.1,0,1,1)",
            "cubicBezier(0,0,1.1,1)", "cubicBezier(0,nan,1,1)", "cubicBezier(0,0,x,1)", "cubicBezier(0,0,1,1",
        ])
    func refused(text: String) {
        #expect(TimingFunction(text) == nil)
    }
}
