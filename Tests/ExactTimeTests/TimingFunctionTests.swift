import ExactTime
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct TimingFunctionTests {
    /// Penner's equations as he published them: time `t` of `d`, beginning value `b`, change `c`.
    private static let published: [String: @Sendable (Double, Double, Double, Double) -> Double] = [
        "linear": { t, b, c, d in c * t / d + b },
        "quadIn": { t, b, c, d in c * (t / d) * (t / d) + b },
        "quadOut": { t, b, c, d in -c * (t / d) * (t / d - 2) + b },
        "quadInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * h * h + b : -c / 2 * ((h - 1) * (h - 3) - 1) + b
        },
        "cubicIn": { t, b, c, d in c * pow(t / d, 3) + b },
        "cubicOut": { t, b, c, d in c * (pow(t / d - 1, 3) + 1) + b },
        "cubicInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(h, 3) + b : c / 2 * (pow(h - 2, 3) + 2) + b
        },
        "quartIn": { t, b, c, d in c * pow(t / d, 4) + b },
        "quartOut": { t, b, c, d in -c * (pow(t / d - 1, 4) - 1) + b },
        "quartInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(h, 4) + b : -c / 2 * (pow(h - 2, 4) - 2) + b
        },
        "quintIn": { t, b, c, d in c * pow(t / d, 5) + b },
        "quintOut": { t, b, c, d in c * (pow(t / d - 1, 5) + 1) + b },
        "quintInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(h, 5) + b : c / 2 * (pow(h - 2, 5) + 2) + b
        },
        "sineIn": { t, b, c, d in -c * cos(t / d * (.pi / 2)) + c + b },
        "sineOut": { t, b, c, d in c * sin(t / d * (.pi / 2)) + b },
        "sineInOut": { t, b, c, d in -c / 2 * (cos(.pi * t / d) - 1) + b },
        "expoIn": { t, b, c, d in t == 0 ? b : c * pow(2, 10 * (t / d - 1)) + b },
        "expoOut": { t, b, c, d in t == d ? b + c : c * (-pow(2, -10 * t / d) + 1) + b },
        "expoInOut": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let h = t / (d / 2)
            return h < 1 ? c / 2 * pow(2, 10 * (h - 1)) + b : c / 2 * (-pow(2, -10 * (h - 1)) + 2) + b
        },
        "circIn": { t, b, c, d in -c * (sqrt(1 - (t / d) * (t / d)) - 1) + b },
        "circOut": { t, b, c, d in c * sqrt(1 - (t / d - 1) * (t / d - 1)) + b },
        "circInOut": { t, b, c, d in
            let h = t / (d / 2)
            return h < 1 ? -c / 2 * (sqrt(1 - h * h) - 1) + b : c / 2 * (sqrt(1 - (h - 2) * (h - 2)) + 1) + b
        },
        "backIn": { t, b, c, d in
            let s = 1.70158
            return c * (t / d) * (t / d) * ((s + 1) * (t / d) - s) + b
        },
        "backOut": { t, b, c, d in
            let s = 1.70158
            let u = t / d - 1
            return c * (u * u * ((s + 1) * u + s) + 1) + b
        },
        "backInOut": { t, b, c, d in
            let s = 1.70158 * 1.525
            let h = t / (d / 2)
            if h < 1 { return c / 2 * (h * h * ((s + 1) * h - s)) + b }
            return c / 2 * ((h - 2) * (h - 2) * ((s + 1) * (h - 2) + s) + 2) + b
        },
        "elasticIn": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let p = d * 0.3
            let u = t / d - 1
            return -(c * pow(2, 10 * u) * sin((u * d - p / 4) * (2 * .pi) / p)) + b
        },
        "elasticOut": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let p = d * 0.3
            return c * pow(2, -10 * t / d) * sin((t - p / 4) * (2 * .pi) / p) + c + b
        },
        "elasticInOut": { t, b, c, d in
            if t == 0 { return b }
            if t == d { return b + c }
            let p = d * (0.3 * 1.5)
            let u = t / (d / 2) - 1
            if u < 0 { return -0.5 * (c * pow(2, 10 * u) * sin((u * d - p / 4) * (2 * .pi) / p)) + b }
            return c * pow(2, -10 * u) * sin((u * d - p / 4) * (2 * .pi) / p) * 0.5 + c + b
        },
        "bounceOut": bounceOut,
        "bounceIn": { t, b, c, d in c - bounceOut(d - t, 0, c, d) + b },
        "bounceInOut": { t, b, c, d in
            t < d / 2
                ? (c - bounceOut(d - t * 2, 0, c, d)) * 0.5 + b : bounceOut(t * 2 - d, 0, c, d) * 0.5 + c * 0.5 + b
        },
    ]

    private static let bounceOut: @Sendable (Double, Double, Double, Double) -> Double = { t, b, c, d in
        let u = t / d
        if u < 1 / 2.75 { return c * (7.5625 * u * u) + b }
        if u < 2 / 2.75 { return c * (7.5625 * (u - 1.5 / 2.75) * (u - 1.5 / 2.75) + 0.75) + b }
        if u < 2.5 / 2.75 { return c * (7.5625 * (u - 2.25 / 2.75) * (u - 2.25 / 2.75) + 0.9375) + b }
        return c * (7.5625 * (u - 2.625 / 2.75) * (u - 2.625 / 2.75) + 0.984375) + b
    }

    @Test("Penner's 31 curves are his published equations within 1e-9", arguments: published.keys.sorted())
    func penner(name: String) throws {
        #expect(TimingFunctionTests.published.count == 31)
        let function = try #require(TimingFunction(name))
        let equation = try #require(TimingFunctionTests.published[name])
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
