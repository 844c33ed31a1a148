import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// The explanation of a frame agrees with what is drawn.
@Suite struct ExplanationTests {
    private static let size = FrameSize(width: 64, height: 48)
    private static let middle = LayerTransform.constant(x: 32, y: 24)
    private static let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Makes and explains the frames of one stack of layers.
    private struct Film {
        let compositor: Compositor
        let explainer: PictureExplainer

        init(_ layers: [Layer], _ sources: [String: SourceReference] = [:]) throws {
            let always = TimeRange(start: .zero, duration: MediaTime(seconds: 3600))
            let instruction = Instruction(timeRange: always, layers: layers)
            compositor = try Compositor(
                instruction, canvas: ExplanationTests.size, frameRate: FrameRate(25), sources: sources)
            explainer = PictureExplainer(
                instruction, canvas: ExplanationTests.size, frameRate: FrameRate(25), sources: sources)
        }

        func picture(atFrame frame: Int) throws -> VideoFrame { try compositor.picture(atFrame: frame) }

        func explanation(atFrame frame: Int) throws -> Explanation { try explainer.explanation(atFrame: frame) }
    }

    private func video(_ count: Int = 3, size: FrameSize = size) async throws -> TestSource {
        try await TestSource((0..<count).map { PlanarPicture.noise(size, seed: 70 + UInt64($0)) }, in: directory)
    }

    private static func moving(_ name: String = "brightness", _ parameter: String = "amount") -> ExportPlan.Operation {
        let keys = [AnimatedValue.Key(time: .zero, value: 0), .init(time: MediaTime(seconds: 1), value: 0.5)]
        return ExportPlan.Operation(name: name, parameters: [parameter: AnimatedValue(keys: keys)])
    }

    private static func shape(_ transform: LayerTransform = middle) -> Layer {
        let content = ShapeContent(
            outline: .ellipse(width: 30, height: 20), fill: RGBAColor(red: 200, green: 80, blue: 60, alpha: 255))
        return Layer(content: .shape(content), transform: transform)
    }

    private static func sliding() -> LayerTransform {
        var transform = middle
        transform.position.x = AnimatedValue(keys: [.init(time: .zero, value: 10), .init(time: MediaTime(seconds: 1), value: 50)])
        return transform
    }

    /// The explanation of a frame's stack.
    private static func stack(_ film: Film, _ frame: Int = 0) throws -> Explanation {
        let explanation = try film.explanation(atFrame: frame)
        #expect(explanation.subject == .frame(number: frame))
        return try #require(explanation.parts.first)
    }

    /// A layer that cannot be drawn, because its mask does not have its size.
    private static let failing = Layer(
        content: .group(layers: [.solid(blue)], size: size), transform: middle,
        mask: LayerMask(
            layers: [.solid(blue)], size: FrameSize(width: 8, height: 8), channel: .alpha, feather: .constant(0),
            isInverted: false))

    @Test("A frame that is passed through is the decoder's own object, and the same until the next one")
    func passedThrough() async throws {
        let source = try await video()
        let half = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: Rational(1, 2))
        let film = try Film(
            [.solid(.black), Layer(content: .video(source: source.hash, timing: half))], source.sources)
        let explanation = try ExplanationTests.stack(film)
        #expect(explanation.parts.map(\.compositing) == [.passedThrough] && explanation.hiddenLayers == 1)
        #expect(explanation.parts[0].readingMethod == .decoded)
        #expect(explanation.parts[0].repetition == .whenSourceChanges)
        let frames = try (0..<4).map { try film.picture(atFrame: $0) }
        #expect(frames[0] === frames[1] && frames[2] === frames[3] && frames[0] !== frames[2])
        let reader = try FrameReader(source.reference)
        #expect(PlanarPicture(frames[2]) == PlanarPicture(try reader.frame(at: MediaTime(Rational(1, 25)))))
    }

    @Test("Layers that are reported as hidden are not drawn, even if they could not be drawn")
    func hidden() async throws {
        let source = try await video()
        let over = Layer(content: source.playing)
        let film = try Film([ExplanationTests.failing, ExplanationTests.shape(), over], source.sources)
        #expect(try ExplanationTests.stack(film, 1).hiddenLayers == 2)
        #expect(
            PlanarPicture(try film.picture(atFrame: 1))
                == (try composed([over], canvas: ExplanationTests.size, source.sources, frames: [1])[0]))
        var translucent = over
        translucent.opacity = .constant(0.9)
        let seen = try Film([ExplanationTests.failing, translucent], source.sources)
        #expect(throws: MediaError.self) { try seen.explanation(atFrame: 1) }
        #expect(throws: MediaError.self) { try seen.picture(atFrame: 1) }
    }

    @Test("An opaque group that fills the canvas hides what lies below it, and a keyed one does not")
    func groups() throws {
        let green = Layer.solid(RGBAColor(red: 0, green: 255, blue: 0, alpha: 255))
        let opaque = Layer(
            content: .group(layers: [green, ExplanationTests.shape()], size: ExplanationTests.size),
            transform: ExplanationTests.middle)
        let film = try Film([ExplanationTests.failing, opaque])
        #expect(try ExplanationTests.stack(film).hiddenLayers == 1)
        #expect(try film.picture(atFrame: 0) === film.picture(atFrame: 7))
        let key = Layer(content: .adjustment, operations: [ExportPlan.Operation(name: "chromaKey")])
        let keyed = Layer(content: .group(layers: [green, key], size: ExplanationTests.size), transform: ExplanationTests.middle)
        let through = try Film([.solid(ExplanationTests.blue), keyed])
        let explanation = try ExplanationTests.stack(through)
        #expect(explanation.hiddenLayers == 0 && explanation.parts.count == 2)
        #expect(PlanarPicture(try through.picture(atFrame: 0)) == flatPicture(ExplanationTests.blue, ExplanationTests.size))
    }

    @Test("Content that is drawn once is the same object in every frame, for every kind of content")
    func once() async throws {
        let source = try await video()
        let still = Layer(content: .still(source: source.hash))
        let small = Layer(
            content: .still(source: source.hash),
            placement: .whole(into: PixelRect(x: 8, y: 6, width: 32, height: 24)), opacity: .constant(0.5))
        let blurred = Layer(content: .blurred(layer: still, deviation: 6))
        // A picture that does not cover its background has to be drawn on black before it is blurred.
        let faint = Layer(content: .blurred(layer: small, deviation: 6))
        let sticker = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(ExplanationTests.size)),
            transform: .constant(x: 20, y: 20, scale: 0.4, rotation: 10))
        let group = Layer(
            content: .group(layers: [ExplanationTests.shape()], size: ExplanationTests.size), transform: ExplanationTests.middle)
        let black = Layer.solid(.black)
        for layers in [
            [black], [still], [blurred], [faint], [blurred, small], [black, ExplanationTests.shape()], [blurred, sticker, group],
        ] {
            let film = try Film(layers, source.sources)
            #expect(try ExplanationTests.stack(film, 3).repetition == .once)
            let first = try film.picture(atFrame: 0)
            #expect(try first === film.picture(atFrame: 1) && first === film.picture(atFrame: 20))
            #expect(
                PlanarPicture(first) == (try composed(layers, canvas: ExplanationTests.size, source.sources, frames: [20])[0]))
        }
    }

    @Test("Still layers that were composed once are not changed by the moving layers above them")
    func kept() async throws {
        let source = try await video()
        let layers = [
            Layer.solid(ExplanationTests.blue), ExplanationTests.shape(), ExplanationTests.shape(ExplanationTests.sliding()),
            ExplanationTests.shape(.constant(x: 50, y: 40)),
        ]
        let film = try Film(layers, source.sources)
        let explanation = try ExplanationTests.stack(film)
        #expect(explanation.cachedLayers == 2 && explanation.repetition == .everyFrame)
        #expect(explanation.parts.map(\.repetition) == [.once, .once, .everyFrame, .once])
        for frame in [0, 12, 3, 25] {
            let inTurn = PlanarPicture(try film.picture(atFrame: frame))
            #expect(inTurn == (try composed(layers, canvas: ExplanationTests.size, [:], frames: [frame])[0]), "frame \(frame)")
        }
    }

    @Test("A layer that comes and goes is not kept while it is away, and not missed when it is back")
    func comingAndGoing() throws {
        var shape = ExplanationTests.shape()
        shape.timeRange = TimeRange(start: MediaTime(Rational(2, 25)), duration: MediaTime(Rational(2, 25)))
        let layers = [Layer.solid(ExplanationTests.blue), shape]
        let film = try Film(layers)
        let frames = try [0, 2, 3, 4].map { try film.picture(atFrame: $0) }
        #expect(frames[1] === frames[2])
        #expect(PlanarPicture(frames[0]) == flatPicture(ExplanationTests.blue, ExplanationTests.size))
        #expect(PlanarPicture(frames[1]) != PlanarPicture(frames[0]) && PlanarPicture(frames[3]) == PlanarPicture(frames[0]))
        // The same holds in a group.
        let group = Layer(content: .group(layers: [shape], size: ExplanationTests.size), transform: ExplanationTests.middle)
        let grouped = try composed(
            [.solid(ExplanationTests.blue), group], canvas: ExplanationTests.size, [:], frames: [0, 2, 4])
        #expect(grouped == [frames[0], frames[1], frames[3]].map { PlanarPicture($0) })
    }

    @Test("Operations report their colour space, their passes, and which ones are left out")
    func operations() async throws {
        func operation(_ name: String, _ parameter: String, _ value: Double) -> ExportPlan.Operation {
            ExportPlan.Operation(name: name, parameters: [parameter: .constant(value)])
        }
        let source = try await video()
        let (bright, contrast) = (operation("brightness", "amount", 0.1), operation("contrast", "amount", 1.2))
        let (blur, neutral) = (operation("blur", "radius", 4), operation("saturation", "amount", 1))
        func explanation(_ operations: [ExportPlan.Operation]) throws -> Explanation {
            let layer = Layer(content: .still(source: source.hash), operations: operations)
            return try ExplanationTests.stack(try Film([layer], source.sources)).parts[0]
        }
        func pass(_ kind: Explanation.Pass.Kind, _ names: String...) -> Explanation.Pass {
            Explanation.Pass(kind: kind, operations: names)
        }
        let pixelwise = Explanation.Decision.operations(
            space: .rowsOfRGB, passes: [pass(.pixelwise, "brightness", "contrast")], neutral: ["saturation"], isCached: true)
        #expect(try explanation([bright, neutral, contrast]).decisions.contains(pixelwise))
        let blurred = Explanation.Decision.operations(
            space: .planes, passes: [pass(.gaussian, "blur")], neutral: [], isCached: true)
        #expect(try explanation([blur]).decisions.contains(blurred))
        let untouched = Explanation.Decision.operations(
            space: .untouched, passes: [], neutral: ["saturation"], isCached: true)
        #expect(try explanation([neutral]).decisions.contains(untouched))
        let mixed = Explanation.Decision.operations(
            space: .pictureOfRGB,
            passes: [pass(.pixelwise, "brightness"), pass(.gaussian, "blur"), pass(.pixelwise, "contrast")],
            neutral: ["exposure"], isCached: false)
        #expect(
            try explanation([bright, blur, contrast, ExplanationTests.moving("exposure")]).decisions.contains(mixed),
            "at frame 0 exposure is neutral")
    }

    @Test("A neutral operation leaves the decoder's frame unchanged and passes it through")
    func neutral() async throws {
        let source = try await video()
        let layer = Layer(content: .still(source: source.hash), operations: [ExplanationTests.moving()])
        let film = try Film([layer], source.sources)
        let plain = try Film([Layer(content: .still(source: source.hash))], source.sources)
        let untouched = Explanation.Decision.operations(
            space: .untouched, passes: [], neutral: ["brightness"], isCached: false)
        #expect(try ExplanationTests.stack(film).parts[0].decisions.contains(untouched))
        #expect(PlanarPicture(try film.picture(atFrame: 0)) == PlanarPicture(try plain.picture(atFrame: 0)))
        #expect(try ExplanationTests.stack(film).repetition == .everyFrame)
        #expect(try film.picture(atFrame: 5) !== film.picture(atFrame: 6))
    }

    @Test("The reported drawing method is the one that the transform requires")
    func placement() throws {
        func method(_ transform: LayerTransform) throws -> Explanation.PlacementMethod? {
            let layer = Layer(
                content: .group(layers: [ExplanationTests.shape()], size: ExplanationTests.size), transform: transform)
            return try ExplanationTests.stack(try Film([.solid(.black), layer])).parts[1].placementMethod
        }
        #expect(try method(ExplanationTests.middle) == .asItIs)
        #expect(try method(.constant(x: 30.5, y: 20, scale: 0.7)) == .alongAxes)
        #expect(try method(.constant(x: 30, y: 20, rotation: 90)) == .quarterTurn)
        #expect(try method(.constant(x: 30, y: 20, scale: 1.5, rotation: 20)) == .interpolated)
        #expect(try method(.constant(x: 30, y: 20, scale: 0.5, rotation: 20)) == .shrunkAndInterpolated)
        #expect(try method(.constant(x: 300, y: 20, scale: 0.5, rotation: 20)) == nil, "outside of the canvas")
    }

    /// A layer of each kind of content but captions, which need a file.
    private static func kinds(_ source: String) -> [Layer] {
        let playing = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: .one)
        let still = Layer(content: .still(source: source))
        let whole = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        return [
            .solid(blue), Layer(content: .video(source: source, timing: playing)), still,
            Layer(content: .still(source: source), transform: middle), Layer(content: .blurred(layer: still, deviation: 6)),
            Layer(content: .text(TextContent(text: "a", font: "Sans 20", color: ExplanationTests.blue)), transform: middle),
            shape(),
            Layer(content: .transition(Transition(kind: .dissolve, timeRange: whole, from: [still], to: [.solid(blue)]))),
            Layer(content: .group(layers: [shape()], size: size), transform: middle),
            Layer(content: .adjustment, operations: [ExportPlan.Operation(name: "sepia")]),
        ]
    }

    @Test("Every kind of layer records how it is composited, how often it is drawn, and how its picture is made")
    func recording() async throws {
        let source = try await video()
        for layer in ExplanationTests.kinds(source.hash) {
            let film = try Film([.solid(.black), layer], source.sources)
            let explanation = try #require(try ExplanationTests.stack(film).parts.last)
            #expect(explanation.subject == layer.content.subject)
            #expect(explanation.compositing != nil && explanation.compositing != .hidden, "\(layer.content)")
            #expect((explanation.repetition == nil) == (layer.content == .adjustment), "\(layer.content)")
            #expect((explanation.placementMethod != nil) == (layer.transform != nil), "\(layer.content)")
            let isRead: Bool
            var parts: [Explanation.Subject] = []
            let stack = Explanation.Subject.stack(size: ExplanationTests.size)
            switch layer.content {
            case .video, .still: isRead = true
            case .blurred(let inner, _): (isRead, parts) = (false, [inner.content.subject])
            case .transition: (isRead, parts) = (false, [stack, stack])
            case .group: (isRead, parts) = (false, [stack])
            case .solid, .text, .shape, .captions, .generator, .adjustment: isRead = false
            }
            #expect((explanation.readingMethod != nil) == isRead, "\(layer.content)")
            #expect(explanation.parts.map(\.subject) == parts, "\(layer.content)")
        }
    }

    @Test("The explanation of a frame does not depend on the frames that were drawn or explained before it")
    func independent() async throws {
        let source = try await video()
        var fading = Layer(content: .still(source: source.hash))
        fading.opacity = AnimatedValue(keys: [.init(time: .zero, value: 1), .init(time: MediaTime(seconds: 1), value: 0)])
        let layers = [.solid(ExplanationTests.blue), ExplanationTests.shape(), fading]
        let film = try Film(layers, source.sources)
        _ = try film.picture(atFrame: 0)
        let explanations = try [0, 10, 25, 10].map { try ExplanationTests.stack(film, $0) }
        for (frame, explanation) in zip([0, 10, 25, 10], explanations) {
            #expect(explanation == (try ExplanationTests.stack(try Film(layers, source.sources), frame)))
        }
        #expect(explanations[2].parts.last?.decisions == [.compositing(.hidden)])
    }

    @Test("Frames in which only places differ, in a group, too, are made by the same methods")
    func places() throws {
        let sliding = Layer(
            content: .group(layers: [ExplanationTests.shape(ExplanationTests.sliding())], size: ExplanationTests.size),
            transform: ExplanationTests.middle)
        let film = try Film([.solid(.black), sliding])
        let frames = try [1, 12].map { try film.explanation(atFrame: $0) }
        #expect(frames[0].parts != frames[1].parts && frames[0].usesSameMethods(as: frames[1]))
        let other = try Film([.solid(.black), ExplanationTests.shape()]).explanation(atFrame: 1)
        #expect(!frames[0].usesSameMethods(as: other))
    }
}

extension Explanation {
    fileprivate var compositing: Compositing? {
        decisions.compactMap { if case .compositing(let compositing) = $0 { compositing } else { nil } }.first
    }

    fileprivate var repetition: Repetition? {
        decisions.compactMap { if case .repetition(let repetition) = $0 { repetition } else { nil } }.first
    }

    fileprivate var readingMethod: ReadingMethod? {
        decisions.compactMap { if case .reading(let method, _, _, _, _) = $0 { method } else { nil } }.first
    }

    fileprivate var placementMethod: PlacementMethod? {
        decisions.compactMap { if case .placement(let method, _, _) = $0 { method } else { nil } }.first
    }

    fileprivate var hiddenLayers: Int? {
        decisions.compactMap { if case .stacking(_, let hidden, _) = $0 { hidden } else { nil } }.first
    }

    fileprivate var cachedLayers: Int? {
        decisions.compactMap { if case .stacking(_, _, let cached) = $0 { cached } else { nil } }.first
    }
}
