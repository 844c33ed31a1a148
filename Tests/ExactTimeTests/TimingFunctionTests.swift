import ExactTime
import TestSupport
import Testing
import FoundationEssentials
import Glibc

@Suite struct TimingFunctionTests {
    @Test("Penner's 31 curves match his equations within 1e-9", arguments: PennerEasing.published.keys.sorted())
    func penner(name: String) throws {
        #expect(PennerEasing.published.count == 31)
        let function = try #require(TimingFunction(name))
        let equation = try #require(PennerEasing.published[name])
        for step in 0...1000 {
            let progress = Double(step) / 1000
            // The equation for a change from 0 by 1 in 3 s.
            let wanted = equation(progress * 3, 0, 1, 3)
            #expect(abs(function.value(at: progress) - wanted) < 1e-9, "at \(progress)")
        }
    }

    @Test("Every curve is exactly 0 up to progress 0 and exactly 1 from progress 1", arguments: TimingFunction.names)
    func ends(name: String) throws {
        let function = try #require(TimingFunction(name))
        #expect([-1, 0].map(function.value) == [0, 0])
        #expect([1, 2].map(function.value) == [1, 1])
    }

    @Test("Hold keeps 0 until progress 1")
    func hold() {
        #expect(TimingFunction.hold.value(at: 0.999_999) == 0)
    }

    @Test("A cubic Bézier passes through the points of its parametric form", arguments: 0..<200)
    func bezier(seed: Int) throws {
        func number(_ salt: Int) -> Double { Double((seed * 7919 + salt * 104_729) % 1000) / 999 }
        let (x1, y1, x2, y2) = (number(1), number(2) * 3 - 1, number(3), number(4) * 3 - 1)
        let function = try #require(TimingFunction("cubicBezier(\(x1),\(y1), \(x2),\(y2))"))
        for step in 1..<100 {
            let t = Double(step) / 100
            let r = 1 - t
            let x = 3 * r * r * t * x1 + 3 * r * t * t * x2 + t * t * t
            let y = 3 * r * r * t * y1 + 3 * r * t * t * y2 + t * t * t
            // Where the curve is nearly vertical, a small error in x is a large one in y.
            let slope = 3 * r * r * x1 + 6 * r * t * (x2 - x1) + 3 * t * t * (1 - x2)
            guard slope > 1e-3 else { continue }
            #expect(abs(function.value(at: x) - y) < 1e-9, "at \(t) of \(function.text)")
        }
    }

    @Test("A timing function reads back as written", arguments: TimingFunction.names + ["cubicBezier(0.1,-0.5,0.9,1.5)"])
    func text(name: String) throws {
        let function = try #require(TimingFunction(name))
        #expect(function.text == name)
        #expect(try JSONDecoder().decode(TimingFunction.self, from: try JSONEncoder().encode(function)) == function)
    }

    @Test("Each of Penner's curves is read under its name on easings.net and written under its own")
    func easingsNet() {
        let directions: [(name: String, direction: TimingFunction.Direction)] = [("In", .in), ("Out", .out), ("InOut", .inOut)]
        let families: [(name: String, family: TimingFunction.Family)] = [
            ("Sine", .sine), ("Quad", .quad), ("Cubic", .cubic), ("Quart", .quart), ("Quint", .quint), ("Expo", .expo),
            ("Circ", .circ), ("Back", .back), ("Elastic", .elastic), ("Bounce", .bounce),
        ]
        for (family, curve) in families {
            for (direction, part) in directions {
                let function = TimingFunction("ease\(direction)\(family)")
                #expect(function == .penner(curve, part))
                #expect(function?.text == family.lowercased() + direction)
            }
        }
    }

    @Test("Curves with constants match the formulas that easings.net publishes, within 1e-9")
    func easingsNetFormulas() throws {
        // Curves whose constants are easy to mistake, as easings.net prints them.
        let formulas: [String: (_ x: Double) -> Double] = [
            "easeInBack": { x in 2.70158 * x * x * x - 1.70158 * x * x },
            "easeInOutBack": { x in
                let c = 1.70158 * 1.525
                if x < 0.5 { return pow(2 * x, 2) * ((c + 1) * 2 * x - c) / 2 }
                return (pow(2 * x - 2, 2) * ((c + 1) * (x * 2 - 2) + c) + 2) / 2
            },
            "easeOutElastic": { x in
                let wave: Double = sin((x * 10 - 0.75) * (2 * Double.pi / 3))
                return pow(2, -10 * x) * wave + 1
            },
            "easeInOutElastic": { x in
                let wave: Double = sin((20 * x - 11.125) * (2 * Double.pi / 4.5))
                return x < 0.5 ? -(pow(2, 20 * x - 10) * wave) / 2 : pow(2, -20 * x + 10) * wave / 2 + 1
            },
            "easeInOutExpo": { x in x < 0.5 ? pow(2, 20 * x - 10) / 2 : (2 - pow(2, -20 * x + 10)) / 2 },
            "easeOutBounce": { x in
                if x < 1 / 2.75 { return 7.5625 * x * x }
                if x < 2 / 2.75 { return 7.5625 * pow(x - 1.5 / 2.75, 2) + 0.75 }
                if x < 2.5 / 2.75 { return 7.5625 * pow(x - 2.25 / 2.75, 2) + 0.9375 }
                return 7.5625 * pow(x - 2.625 / 2.75, 2) + 0.984375
            },
        ]
        for (name, formula) in formulas {
            let function = try #require(TimingFunction(name))
            for step in 1..<1000 {
                let progress = Double(step) / 1000
                #expect(abs(function.value(at: progress) - formula(progress)) < 1e-9, "\(name) at \(progress)")
            }
        }
    }

    @Test(
        "CSS's names and cubic-bezier() are read and written in Spool's spelling",
        arguments: [
            ("linear", "linear"), ("ease", "cubicBezier(0.25,0.1,0.25,1.0)"), ("ease-in", "easeIn"), ("ease-out", "easeOut"),
            ("ease-in-out", "easeInOut"), ("step-end", "hold"), ("cubic-bezier(0.42, 0, 1, 1)", "easeIn"),
            ("cubic-bezier( .1 , -.5 , .9 , 1.5 )", "cubicBezier(0.1,-0.5,0.9,1.5)"),
        ])
    func css(name: String, written: String) throws {
        #expect(try #require(TimingFunction(name)).text == written)
    }

    @Test("No name stands for two timing functions")
    func names() {
        let names = TimingFunction.names + TimingFunction.alternativeNames
        #expect(Set(names).count == names.count && names.count == 35 + 35)
    }

    @Test(
        "Text that is not a timing function is refused",
        arguments: [
            "", "Ease", "QuadIn", "easeinquad", "easeQuadIn", "easeInHold", "ease-in-quad", "step-start",
            "cubic-bezier(0,0,1)", "cubic-bezier(0 0,0,1,1)", "cubic-bezier(0,,1,1)", "cubic-bezier( ,0,1,1)",
            "cubicBezier(0,0,1)", "cubicBezier(0,0,1,1,1)", "cubicBezier(-0.1,0,1,1)",
            "cubicBezier(0,0,1.1,1)", "cubicBezier(0,nan,1,1)", "cubicBezier(0,0,x,1)", "cubicBezier(0,0,1,1",
        ])
    func refused(text: String) {
        #expect(TimingFunction(text) == nil)
    }
}
