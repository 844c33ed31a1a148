import ExactTime
import TestSupport
import Vocabulary

/// The text of a random draft. It uses everything that the compositor can do, with numbers that 8 bits can represent
/// well. The same seed gives the same draft.
struct RandomFilm {
    static let size = (width: 96, height: 64)
    /// Frames per second: common rates, and slow ones whose films are cut into segments.
    private static let rates = ["25", "30", "24000/1001", "1", "2"]

    private var random: RandomNumbers
    /// The approximate duration of a frame in seconds.
    private var frame = 0.04
    /// Whether clips are joined by transitions. The reference knows a transition's progress only on a main track whose
    /// speed no effect has changed.
    private var hasTransitions = true
    /// Whether layers have transitions, or else blend modes of hue. Where the edge of a layer that slides lies within a sample
    /// of chroma, these modes make much of a small difference.
    private var hasLayerTransitions = true
    private(set) var text = ""

    init(seed: UInt64) {
        random = RandomNumbers(seed: seed)
        let rate = pick(RandomFilm.rates)
        let durations: [String: Double] = ["25": 0.04, "30": 1.0 / 30, "24000/1001": 1001.0 / 24000, "1": 1, "2": 0.5]
        frame = durations[rate] ?? 1
        hasTransitions = chance(2)
        hasLayerTransitions = chance(2)
        let clips = (0..<int(1...3)).map { clip($0) }
        let effects = (0..<int(0...3)).map { _ in effect() }
        let layers = (0..<int(1...4)).map { _ in layer(depth: 0) }
        var fields = [
            ("version", "1"), ("videoSize", "{\"width\": \(RandomFilm.size.width), \"height\": \(RandomFilm.size.height)}"),
            ("frameRate", "\"\(rate)\""), ("background", background()), ("mainTrackClips", "[\(clips.joined(separator: ", "))]"),
            ("effects", "[\(effects.joined(separator: ", "))]"), ("layers", "[\(layers.joined(separator: ",\n"))]"),
        ]
        if chance(4) { fields.append(("timeRange", range(from: 0...3, lasting: 4...12))) }
        text = object(fields)
    }

    // MARK: - Parts of a draft

    private mutating func background() -> String {
        chance(3)
            ? object([("type", "\"image\""), ("url", "\"\(pick(["card.png", "odd.png"]))\"")])
            : object([("type", "\"color\""), ("color", color(hasAlpha: chance(4)))])
    }

    private mutating func clip(_ index: Int) -> String {
        let isFilm = chance(2)
        // Films at slow frame rates are long, and only the slow source is long enough for them.
        let url = isFilm ? (frame < 0.1 ? "film.mkv" : "slow.mkv") : pick(["card.png", "odd.png", "soft.png"])
        // Only clips longer than 10 s are cut into segments.
        let length = frame == 1 ? int(11...14) : int(6...8)
        if chance(6) { return colorClip(index, length) }
        var fields = [("type", isFilm ? "\"av\"" : "\"image\""), ("url", "\"\(url)\"")]
        if isFilm {
            let speed = pick(["1", "1", "3/2", "1/2"])
            if speed != "1" { fields.append(("speed", "\"\(speed)\"")) }
            if chance(3) { fields.append(("reverse", "true")) }
            if frame < 0.1, chance(4) { fields.append(("frameRate", number(1 / (frame * pick([1.5, 2.0, 3.25] as [Double]))))) }
            let factor: Double = speed == "3/2" ? 1.5 : speed == "1/2" ? 0.5 : 1
            let duration = Double(length) * frame * factor
            fields.append(
                ("timeRange", object([("start", number(frame * 0.5 * Double(int(0...3)))), ("duration", number(duration))])))
        } else {
            fields.append(("duration", number(Double(length) * frame)))
        }
        if chance(8) { fields.append(("video", pick(["true", "false"]))) }
        if chance(4) {
            fields.append(
                (
                    "preferredTransform",
                    object([("rotation", pick(["0", "90", "180", "270"])), ("mirrored", pick(["true", "false"]))])
                ))
        }
        if chance(4) { fields.append(("cropRect", crop())) }
        if chance(2) { fields.append(("scalingMode", "\"\(pick(["aspectFit", "aspectFill", "fill", "none"]))\"")) }
        var animated: [String] = []
        if chance(3) { fields.append(("transform", transform(&animated, fits: false))) }
        opacity(&fields, &animated)
        operations(&fields, &animated, in: "filters")
        if !animated.isEmpty { fields.append(("animations", "[\(animated.joined(separator: ", "))]")) }
        if index > 0, hasTransitions { fields.append(("transition", transition())) }
        return object(fields)
    }

    private mutating func colorClip(_ index: Int, _ length: Int) -> String {
        var fields = [("type", "\"color\""), ("duration", number(Double(length) * frame))]
        if chance(2) { fields.append(("color", color(hasAlpha: chance(2)))) }
        if index > 0, hasTransitions { fields.append(("transition", transition())) }
        return object(fields)
    }

    private mutating func transition(longest: Double = 2.75) -> String {
        let duration = ("duration", number(frame * min(longest, pick([1.5, 2.0, 2.75] as [Double]))))
        guard !chance(6) else { return object([duration]) }
        return object([("type", "\"\(pick(ReferenceTransition.kinds.map(\.rawValue)))\""), duration])
    }

    private mutating func effect() -> String {
        let time = ("timeRangeAtMainTrack", range(from: 0...2, lasting: 4...9))
        if !hasTransitions, chance(2) { return timeEffect() }
        guard chance(2) else {
            return object([("type", "\"filter\""), ("operation", object(operation().fields)), time])
        }
        return object([
            ("type", "\"imageSticker\""), ("url", "\"\(pick(["card.png", "soft.png", "cut.png"]))\""), ("destRect", rect()), time,
        ])
    }

    private mutating func timeEffect() -> String {
        let time = ("timeRangeAtMainTrack", range(from: 1...4, lasting: 1...5))
        switch int(0...3) {
        case 0: return object([("type", "\"speed\""), ("speed", "\"\(pick(["1/2", "2", "3/2", "2/3"]))\""), time])
        case 1: return object([("type", "\"repeat\""), ("count", "\(int(1...3))"), time])
        case 2: return object([("type", "\"cut\""), ("timeRangeAtMainTrack", range(from: 1...3, lasting: 1...2))])
        default: return object([("type", "\"freeze\""), ("duration", number(frame * pick([1.0, 2.5, 4.0] as [Double]))), time])
        }
    }

    private mutating func layer(depth: Int) -> String {
        var fields = [("timeRange", range(from: 0...2, lasting: 5...14))]
        if chance(2) { fields.append(("layerLevel", "\(int(-2...2))")) }
        var animated: [String] = []
        var kinds = ["video", "image", "image", "text", "shape", "solid", "adjustment"]
        if depth < 2 { kinds += ["group", "group"] }
        let kind = pick(kinds)
        if kind != "adjustment" {
            fields.append(("source", source(kind, depth: depth)))
            if kind == "video" || kind == "image", chance(5) { fields.append(("cropRect", crop())) }
            let fits = ["video", "image", "solid", "group"].contains(kind)
            fields.append(("transform", transform(&animated, fits: fits)))
        }
        // A masked layer needs an even number of pixels on each side. The sizes of texts and shapes are not known here.
        if ["video", "image", "solid", "group", "adjustment"].contains(kind), chance(4),
            !fields.contains(where: { $0.1.contains("odd.png") })
        {
            fields.append(("mask", mask(depth: depth, &animated)))
        }
        opacity(&fields, &animated)
        if chance(3) {
            let hues: Set<BlendMode> = [.hue, .saturation, .color, .luminosity]
            let modes = BlendMode.allCases.filter { !hasLayerTransitions || !hues.contains($0) }
            fields.append(("blendMode", "\"\(pick(modes).rawValue)\""))
        }
        operations(&fields, &animated, in: "operations", always: kind == "adjustment")
        // A video that ends early has no room for transitions. A layer is seen for five frames at least.
        if hasLayerTransitions,
            kind != "video" || !fields.contains(where: { $0.0 == "source" && $0.1.contains("timeRange") })
        {
            if chance(3) { fields.append(("transitionIn", transition())) }
            if chance(3) { fields.append(("transitionOut", transition(longest: 2))) }
        }
        if !animated.isEmpty { fields.append(("animations", "[\(animated.joined(separator: ", "))]")) }
        return object(fields)
    }

    private mutating func mask(depth: Int, _ animated: inout [String]) -> String {
        let kind = pick(["image", "image", "solid"] + (depth < 2 ? ["group"] : []))
        var fields = [("source", source(kind, depth: depth + 1))]
        var moves: [String] = []
        if chance(2) { fields.append(("transform", transform(&moves, fits: true))) }
        if chance(2) { fields.append(("channel", "\"\(pick(["alpha", "luma"]))\"")) }
        if chance(2) { fields.append(("inverted", pick(["true", "false"]))) }
        switch int(0...3) {
        case 0: fields.append(("feather", number(double(0.5...4))))
        case 1: animate("feather", 0...3, &moves)
        default: break
        }
        animated += moves.map { $0.replacing("\"keyPath\": \"", with: "\"keyPath\": \"mask.") }
        return object(fields)
    }

    private mutating func source(_ kind: String, depth: Int) -> String {
        var fields = [("type", "\"\(kind)\"")]
        switch kind {
        case "video":
            fields.append(("url", "\"\(frame < 0.1 ? "film.mkv" : "slow.mkv")\""))
            if chance(2) { fields.append(("speed", "\"\(pick(["1/2", "3/2", "2"]))\"")) }
            if chance(3) { fields.append(("reverse", "true")) }
            if chance(2) {
                fields.append(("timeRange", range(from: 0...2, lasting: 2...5)))
                if chance(2) { fields.append(("loop", "true")) }
            }
        case "image": fields.append(("url", "\"\(pick(["card.png", "odd.png", "soft.png", "cut.png"]))\""))
        case "text":
            fields += [("text", "\"\(pick(["Ab", "yes", "W"]))\""), ("font", "\"Sans \(int(14...30))\""), ("color", color())]
        case "shape":
            fields += [
                ("shape", "\"\(pick(["rect", "ellipse"]))\""),
                ("size", object([("width", "\(int(9...50))"), ("height", "\(int(9...40))")])), ("fill", color()),
            ]
            if chance(2) { fields.append(("stroke", object([("color", color()), ("width", "\(int(2...5))")]))) }
        case "solid":
            fields.append(chance(3) ? ("gradient", gradient()) : ("color", color(hasAlpha: chance(3))))
            if chance(2) { fields.append(("size", object([("width", "\(2 * int(8...30))"), ("height", "\(2 * int(8...25))")]))) }
        default:
            if chance(2) {
                fields.append(("size", object([("width", "\(2 * int(20...60))"), ("height", "\(2 * int(15...40))")])))
            }
            let layers = (0..<int(1...3)).map { _ in layer(depth: depth + 1) }
            fields.append(("layers", "[\(layers.joined(separator: ", "))]"))
        }
        return object(fields)
    }

    /// A gradient without edges and steep places, which 4:2:0 cannot show.
    private mutating func gradient() -> String {
        let stops = (0..<int(2...3)).map { _ in object([("color", color(hasAlpha: chance(3)))]) }
        let kind = pick(["linear", "radial"])
        let (start, end) = kind == "linear" ? (double(-0.3...0.1), double(0.9...1.4)) : (double(0.3...0.6), double(1.1...1.5))
        func point(_ x: Double, _ y: Double) -> String { object([("x", number(x)), ("y", number(y))]) }
        return object([
            ("type", "\"\(kind)\""), ("stops", "[\(stops.joined(separator: ", "))]"),
            ("startPoint", point(start, double(0.2...0.4))), ("endPoint", point(end, double(0.9...1.2))),
        ])
    }

    private mutating func transform(_ animated: inout [String], fits: Bool) -> String {
        if chance(5) { return object([("corners", corners(&animated))]) }
        var fields: [(String, String)] = []
        // Places are at whole pixels, half pixels or anything between.
        func place(_ extent: Int, _ value: Double, _ whole: Bool) -> Double {
            whole ? (value * Double(extent)).rounded() / Double(extent) : value
        }
        let isWhole = chance(2)
        if chance(3) {
            animate("transform.center.x", 0.2...0.8, &animated)
        } else if chance(4) == false {
            let (x, y) = (
                place(RandomFilm.size.width, double(0.1...0.9), isWhole),
                place(RandomFilm.size.height, double(0.1...0.9), isWhole)
            )
            fields.append(("center", object([("x", number(x)), ("y", number(y))])))
        }
        if fits, chance(4) {
            fields.append(("fit", object([("rect", rect()), ("mode", "\"\(pick(["aspectFit", "aspectFill", "fill"]))\"")])))
        }
        switch int(0...5) {
        case 0: fields.append(("scale", number(double(0.4...1))))
        case 1: fields.append(("scale", number(double(1...1.8))))
        case 2: fields.append(("scale", object([("x", number(double(0.6...1.4))), ("y", number(-double(0.6...1.4)))])))
        case 3: animate(pick(["transform.scale", "transform.scale.y"]), 0.5...1.5, &animated)
        default: break
        }
        switch int(0...5) {
        case 0: fields.append(("rotation", pick(["90", "180", "-90", "360"])))
        case 1: fields.append(("rotation", number(double(-180...180))))
        case 2: animate("transform.rotation", -90...90, &animated)
        default: break
        }
        if chance(4) { fields.append(("anchor", object([("x", number(double(0...1))), ("y", number(double(0...1)))]))) }
        return object(fields)
    }

    /// Each corner is in its own corner of the frame, so that they span a convex quadrilateral.
    private mutating func corners(_ animated: inout [String]) -> String {
        let names = [
            ("topLeft", false, false), ("topRight", true, false), ("bottomRight", true, true), ("bottomLeft", false, true),
        ]
        let moving = chance(3) ? pick(["x", "y"]) : nil
        // Some easing curves overshoot, but not so far that the quadrilateral becomes concave.
        if let moving { animate("transform.corners.topLeft.\(moving)", 0.1...0.2, &animated) }
        var fields: [(String, String)] = []
        for (name, isRight, isLow) in names where !chance(5) {
            var pair: [(String, String)] = []
            for (axis, isFar) in [("x", isRight), ("y", isLow)] where name != "topLeft" || axis != moving {
                let value = double(-0.05...0.3)
                pair.append((axis, number(isFar ? 1 - value : value)))
            }
            fields.append((name, object(pair)))
        }
        return object(fields)
    }

    private mutating func opacity(_ fields: inout [(String, String)], _ animated: inout [String]) {
        switch int(0...3) {
        case 0: fields.append(("opacity", number(double(0.2...1))))
        case 1: animate("opacity", 0...1, &animated)
        default: break
        }
    }

    private mutating func operations(
        _ fields: inout [(String, String)], _ animated: inout [String], in list: String, always: Bool = false
    ) {
        guard always || chance(4) else { return }
        var found: [String] = []
        for index in 0..<int(1...2) {
            var operation = operation()
            if operation.fields.count == 2, chance(4) {
                operation.fields.removeLast()
                animate("\(list)[\(index)].\(operation.parameter)", operation.range, &animated)
            }
            found.append(object(operation.fields))
        }
        fields.append((list, "[\(found.joined(separator: ", "))]"))
    }

    private mutating func operation() -> (fields: [(String, String)], parameter: String, range: ClosedRange<Double>) {
        let ranges: [(String, ClosedRange<Double>)] = [
            ("brightness", -0.2...0.2), ("contrast", 0.6...1.5), ("exposure", -0.7...0.5), ("gamma", 0.7...1.6),
            ("highlights", 0...1), ("shadows", 0...1), ("saturation", 0...1.6), ("vibrance", -0.6...0.6), ("hue", -180...180),
            ("temperature", 3500...9000), ("tint", -1...1), ("grayscale", 0...1), ("sepia", 0...1), ("invert", 0...1),
            ("vignette", 0...0.7),
        ]
        let (name, range) = pick(ranges)
        let parameter = ReferenceOperation.parameters[name]
        // A neutral value is chosen from time to time.
        let value = chance(8) ? parameter?.neutral ?? 0 : double(range)
        let title = parameter?.name ?? "amount"
        return ([("type", "\"\(name)\""), (title, number(value))], title, range)
    }

    private mutating func animate(_ keyPath: String, _ range: ClosedRange<Double>, _ animated: inout [String]) {
        guard !animated.contains(where: { $0.contains("\"\(keyPath)") }) else { return }
        let count = int(2...3)
        var time = Double(int(0...2)) * frame
        var times: [String] = []
        for _ in 0..<count {
            times.append(number(time))
            time += frame * double(1.5...6)
        }
        let values = (0..<count).map { _ in number(double(range)) }
        let curves = TimingFunction.names + ["cubicBezier(0.2,-0.4,0.7,1.5)"]
        let functions = (1..<count).map { _ in "\"\(pick(curves))\"" }
        animated.append(
            object([
                ("keyPath", "\"\(keyPath)\""), ("keyTimes", "[\(times.joined(separator: ", "))]"),
                ("values", "[\(values.joined(separator: ", "))]"), ("timingFunctions", "[\(functions.joined(separator: ", "))]"),
            ]))
    }

    // MARK: - Values

    private mutating func range(from start: ClosedRange<Int>, lasting length: ClosedRange<Int>) -> String {
        let (start, length) = (Double(int(start)), Double(int(length)))
        return object([("start", number((start + 0.25) * frame)), ("duration", number(length * frame))])
    }

    private mutating func rect() -> String {
        object([
            ("x", "\(int(0...40))"), ("y", "\(int(0...24))"), ("width", "\(int(24...70))"), ("height", "\(int(20...50))"),
        ])
    }

    /// A crop that is inside every source in any orientation.
    private mutating func crop() -> String {
        object([
            ("x", "\(int(0...5))"), ("y", "\(int(0...5))"), ("width", "\(2 * int(8...11))"), ("height", "\(2 * int(8...11))"),
        ])
    }

    /// Colours from the middle of the range. At its ends some formulas are too steep for 8 bits.
    private mutating func color(hasAlpha: Bool = false) -> String {
        let channels = (0..<3).map { _ in int(50...205) } + (hasAlpha ? [int(60...230)] : [])
        return "\"#" + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    }

    /// The number as text, rounded to four decimals.
    private func number(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

    private func object(_ fields: [(String, String)]) -> String {
        "{" + fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }

    private mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func double(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[int(0...values.count - 1)] }

    /// True once in `count` calls on average.
    private mutating func chance(_ count: Int) -> Bool { int(1...count) == 1 }
}
