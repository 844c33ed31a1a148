import Compositor
import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// What a stack's program claims is what is drawn.
@Suite struct ProgramTests {
    private static let size = FrameSize(width: 64, height: 48)
    private static let middle = LayerTransform.constant(x: 32, y: 24)
    private static let blue = RGBAColor(red: 40, green: 90, blue: 160, alpha: 255)

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func compositor(_ layers: [Layer], _ sources: [String: SourceReference] = [:]) throws -> Compositor {
        let always = TimeRange(start: .zero, duration: MediaTime(seconds: 3600))
        return try Compositor(
            Instruction(timeRange: always, layers: layers), canvas: ProgramTests.size, frameRate: FrameRate(25),
            sources: sources)
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

    /// A layer that cannot be drawn: its mask is not of its size.
    private static let failing = Layer(
        content: .group(layers: [.solid(blue)], size: size), transform: middle,
        mask: LayerMask(
            layers: [.solid(blue)], size: FrameSize(width: 8, height: 8), channel: .alpha, feather: .constant(0),
            isInverted: false))

    @Test("What is handed on untouched is the decoder's frame: bit for bit, and the same object until there is another")
    func handedOn() async throws {
        let source = try await video()
        let half = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: Rational(1, 2))
        let film = try compositor(
            [.solid(.black), Layer(content: .video(source: source.hash, timing: half))], source.sources)
        let program = try film.program(atFrame: 0)
        #expect(program.layers.map(\.joining) == [.handedOn] && program.hiddenLayers == 1)
        #expect(program.layers[0].reading?.way == .decoded)
        #expect(program.layers[0].repetition == .whenSourceChanges)
        let frames = try (0..<4).map { try film.picture(atFrame: $0) }
        #expect(frames[0] === frames[1] && frames[2] === frames[3] && frames[0] !== frames[2])
        let reader = try FrameReader(source.reference)
        #expect(PlanarPicture(frames[2]) == PlanarPicture(try reader.frame(at: MediaTime(Rational(1, 25)))))
    }

    @Test("Layers that are said to be hidden are not drawn: they may be impossible to draw, or anything else")
    func hidden() async throws {
        let source = try await video()
        let over = Layer(content: source.playing)
        let film = try compositor([ProgramTests.failing, ProgramTests.shape(), over], source.sources)
        #expect(try film.program(atFrame: 1).hiddenLayers == 2)
        #expect(
            PlanarPicture(try film.picture(atFrame: 1))
                == (try composed([over], canvas: ProgramTests.size, source.sources, frames: [1])[0]))
        var translucent = over
        translucent.opacity = .constant(0.9)
        let seen = try compositor([ProgramTests.failing, translucent], source.sources)
        #expect(throws: MediaError.self) { try seen.program(atFrame: 1) }
        #expect(throws: MediaError.self) { try seen.picture(atFrame: 1) }
    }

    @Test("An opaque group that fills the canvas hides what lies below it, and one that is keyed does not")
    func groups() throws {
        let green = Layer.solid(RGBAColor(red: 0, green: 255, blue: 0, alpha: 255))
        let opaque = Layer(
            content: .group(layers: [green, ProgramTests.shape()], size: ProgramTests.size), transform: ProgramTests.middle)
        let film = try compositor([ProgramTests.failing, opaque])
        #expect(try film.program(atFrame: 0).hiddenLayers == 1)
        #expect(try film.picture(atFrame: 0) === film.picture(atFrame: 7))
        let key = Layer(content: .adjustment, operations: [ExportPlan.Operation(name: "chromaKey")])
        let keyed = Layer(content: .group(layers: [green, key], size: ProgramTests.size), transform: ProgramTests.middle)
        let through = try compositor([.solid(ProgramTests.blue), keyed])
        let program = try through.program(atFrame: 0)
        #expect(program.hiddenLayers == 0 && program.layers.count == 2)
        #expect(PlanarPicture(try through.picture(atFrame: 0)) == flatPicture(ProgramTests.blue, ProgramTests.size))
    }

    @Test(
        "What is drawn once is the same object in every frame: colours, shapes, stickers, a blurred picture, all of them together"
    )
    func once() async throws {
        let source = try await video()
        let still = Layer(content: .still(source: source.hash))
        let small = Layer(
            content: .still(source: source.hash),
            placement: .whole(into: PixelRect(x: 8, y: 6, width: 32, height: 24)), opacity: .constant(0.5))
        let blurred = Layer(content: .blurred(layer: still, deviation: 6))
        // A picture that does not cover its background has to be put on black before it is blurred.
        let faint = Layer(content: .blurred(layer: small, deviation: 6))
        let sticker = Layer(
            content: .still(source: source.hash), placement: .whole(into: PixelRect(ProgramTests.size)),
            transform: .constant(x: 20, y: 20, scale: 0.4, rotation: 10))
        let group = Layer(
            content: .group(layers: [ProgramTests.shape()], size: ProgramTests.size), transform: ProgramTests.middle)
        let black = Layer.solid(.black)
        for layers in [
            [black], [still], [blurred], [faint], [blurred, small], [black, ProgramTests.shape()], [blurred, sticker, group],
        ] {
            let film = try compositor(layers, source.sources)
            #expect(try film.program(atFrame: 3).repetition == .once)
            let first = try film.picture(atFrame: 0)
            #expect(try first === film.picture(atFrame: 1) && first === film.picture(atFrame: 20))
            #expect(PlanarPicture(first) == (try composed(layers, canvas: ProgramTests.size, source.sources, frames: [20])[0]))
        }
    }

    @Test("What is joined once is not painted over by what moves above it")
    func kept() async throws {
        let source = try await video()
        let layers = [
            Layer.solid(ProgramTests.blue), ProgramTests.shape(), ProgramTests.shape(ProgramTests.sliding()),
            ProgramTests.shape(.constant(x: 50, y: 40)),
        ]
        let film = try compositor(layers, source.sources)
        let program = try film.program(atFrame: 0)
        #expect(program.keptLayers == 2 && program.repetition == .everyFrame)
        #expect(program.layers.map(\.repetition) == [.once, .once, .everyFrame, .once])
        for frame in [0, 12, 3, 25] {
            let inTurn = PlanarPicture(try film.picture(atFrame: frame))
            #expect(inTurn == (try composed(layers, canvas: ProgramTests.size, [:], frames: [frame])[0]), "frame \(frame)")
        }
    }

    @Test("A layer that comes and goes is neither kept nor forgotten")
    func comingAndGoing() throws {
        var shape = ProgramTests.shape()
        shape.timeRange = TimeRange(start: MediaTime(Rational(2, 25)), duration: MediaTime(Rational(2, 25)))
        let layers = [Layer.solid(ProgramTests.blue), shape]
        let film = try compositor(layers)
        let frames = try [0, 2, 3, 4].map { try film.picture(atFrame: $0) }
        #expect(frames[1] === frames[2])
        #expect(PlanarPicture(frames[0]) == flatPicture(ProgramTests.blue, ProgramTests.size))
        #expect(PlanarPicture(frames[1]) != PlanarPicture(frames[0]) && PlanarPicture(frames[3]) == PlanarPicture(frames[0]))
        // In a group, too.
        let group = Layer(content: .group(layers: [shape], size: ProgramTests.size), transform: ProgramTests.middle)
        let grouped = try composed([.solid(ProgramTests.blue), group], canvas: ProgramTests.size, [:], frames: [0, 2, 4])
        #expect(grouped == [frames[0], frames[1], frames[3]].map { PlanarPicture($0) })
    }

    @Test("Operations say in which colours they run, what is one pass, and what is left out")
    func operations() async throws {
        func operation(_ name: String, _ parameter: String, _ value: Double) -> ExportPlan.Operation {
            ExportPlan.Operation(name: name, parameters: [parameter: .constant(value)])
        }
        let source = try await video()
        let (bright, contrast) = (operation("brightness", "amount", 0.1), operation("contrast", "amount", 1.2))
        let (blur, neutral) = (operation("blur", "radius", 4), operation("saturation", "amount", 1))
        func program(_ operations: [ExportPlan.Operation]) throws -> OperationProgram {
            let layer = Layer(content: .still(source: source.hash), operations: operations)
            return try #require(try compositor([layer], source.sources).program(atFrame: 0).layers[0].operations)
        }
        let pixelwise = try program([bright, neutral, contrast])
        #expect(pixelwise.space == .rowsOfRGB && pixelwise.neutral == ["saturation"] && pixelwise.isKept)
        #expect(pixelwise.passes == [.init(kind: .pixelwise, operations: ["brightness", "contrast"])])
        #expect(try program([blur]).space == .planes)
        #expect(try program([neutral]).space == .untouched)
        let mixed = try program([bright, blur, contrast, ProgramTests.moving("exposure")])
        #expect(mixed.space == .pictureOfRGB && !mixed.isKept)
        #expect(mixed.passes.map(\.operations) == [["brightness"], ["blur"], ["contrast"]], "at frame 0 exposure is neutral")
    }

    @Test("A neutral operation leaves the decoder's frame as it is, and hands it on")
    func neutral() async throws {
        let source = try await video()
        let layer = Layer(content: .still(source: source.hash), operations: [ProgramTests.moving()])
        let film = try compositor([layer], source.sources)
        let plain = try compositor([Layer(content: .still(source: source.hash))], source.sources)
        #expect(try film.program(atFrame: 0).layers[0].operations?.space == .untouched)
        #expect(PlanarPicture(try film.picture(atFrame: 0)) == PlanarPicture(try plain.picture(atFrame: 0)))
        #expect(try film.program(atFrame: 0).repetition == .everyFrame)
        #expect(try film.picture(atFrame: 5) !== film.picture(atFrame: 6))
    }

    @Test("The way that a transform is said to take is the one that its numbers ask for")
    func placing() throws {
        func way(_ transform: LayerTransform) throws -> PlacingProgram.Way? {
            let layer = Layer(content: .group(layers: [ProgramTests.shape()], size: ProgramTests.size), transform: transform)
            return try compositor([.solid(.black), layer]).program(atFrame: 0).layers[1].placing?.way
        }
        #expect(try way(ProgramTests.middle) == .asItIs)
        #expect(try way(.constant(x: 30.5, y: 20, scale: 0.7)) == .alongAxes)
        #expect(try way(.constant(x: 30, y: 20, rotation: 90)) == .quarterTurn)
        #expect(try way(.constant(x: 30, y: 20, scale: 1.5, rotation: 20)) == .interpolated)
        #expect(try way(.constant(x: 30, y: 20, scale: 0.5, rotation: 20)) == .shrunkAndInterpolated)
        #expect(try way(.constant(x: 300, y: 20, scale: 0.5, rotation: 20)) == nil, "outside of the canvas")
    }
}
