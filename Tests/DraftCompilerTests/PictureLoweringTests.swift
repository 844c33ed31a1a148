import DraftModel
import ExactTime
import ExportPlan
import Testing

@Suite("Lowering of clips to layers")
struct PictureLoweringTests {
    private let facts = [
        "wide": SourceFacts.film("wide"), "tall": SourceFacts.film("tall", size: FrameSize(width: 1080, height: 1920)),
        "clear": SourceFacts.picture("clear", size: FrameSize(width: 640, height: 360), hasAlpha: true),
        "back": SourceFacts.picture("back"),
    ]

    @Test("A clip that covers the canvas is drawn without a background")
    func covering() throws {
        #expect(try layers(.film("wide")).count == 1)
    }

    @Test("A clip that does not cover the canvas is drawn over black or the draft's background colour")
    func solidBackground() throws {
        #expect(try layers(.film("tall")).first?.content == .solid(color: .black))
        let color = Background(type: .color, color: Color(red: 10, green: 20, blue: 30))
        #expect(
            try layers(.film("tall"), color).first?.content
                == .solid(color: RGBAColor(red: 10, green: 20, blue: 30, alpha: 255)))
    }

    @Test("A translucent background colour is drawn over black, because a film has no alpha")
    func translucentBackground() throws {
        let color = Background(type: .color, color: Color(red: 255, green: 100, blue: 0, alpha: 51))
        #expect(
            try layers(.film("tall"), color).first?.content
                == .solid(color: RGBAColor(red: 51, green: 20, blue: 0, alpha: 255)))
    }

    @Test("A translucent clip is drawn over the background even if it covers the canvas")
    func translucent() throws {
        let half = try layers(.film("wide").with { $0.opacity = 0.5 })
        #expect(half.map(\.opacity.constantValue) == [1, 0.5])
        #expect(try layers(.image("clear", lasting: .one)).count == 2)
    }

    @Test("A blurred background is the clip itself at the same time, filling the canvas")
    func blurredBackground() throws {
        let clip = MainTrackClip.film("tall", from: Rational(2), lasting: Rational(3))
        let layers = try layers(clip, Background(type: .blur, radius: 20))
        #expect(layers.count == 3)
        guard case .blurred(let inner, let deviation)? = layers.dropFirst().first?.content else {
            Issue.record("no blurred layer")
            return
        }
        #expect(deviation == 20)
        #expect(inner.content == layers.last?.content)
        #expect(inner.placement?.destination == PixelRect(x: 0, y: 0, width: 640, height: 360))
    }

    @Test("A background picture fills the canvas below the clip")
    func pictureBackground() throws {
        let layers = try layers(.film("tall"), Background(type: .image, url: "back"))
        #expect(layers.count == 3)
        #expect(layers[1].content == .still(source: facts["back"]?.contentHash ?? ""))
        #expect(layers[1].placement?.destination == PixelRect(x: 0, y: 0, width: 640, height: 360))
        // 800x600 on 640x360: the whole width is visible, and 450 of 600 rows.
        #expect(layers[1].placement?.region == Region(x: .zero, y: Rational(1, 8), width: .one, height: Rational(3, 4)))
    }

    @Test("A clip's own orientation replaces that of the file")
    func preferredTransform() throws {
        let clip = MainTrackClip.film("wide").with { $0.preferredTransform = PreferredTransform(rotation: 270, mirrored: true) }
        let placement = try layers(clip).last?.placement
        #expect(placement?.orientation == Orientation(quarterTurns: 3, mirrored: true))
        #expect(placement?.destination.height == 360)
        #expect(placement?.destination.width == 202)
    }

    @Test("A film without a given size or rate has those of its first picture")
    func defaults() throws {
        let odd = SourceFacts.film("odd", rate: FrameRate(25), size: FrameSize(width: 853, height: 480), quarterTurns: 1)
        let composition = try SampleDraft([.film("odd"), .film("wide")], facts: facts.merging(["odd": odd]) { $1 }).compose()
        #expect(composition.canvas == FrameSize(width: 480, height: 854))
        #expect(composition.frameRate == FrameRate(25))
        let still = try SampleDraft([.image("back", lasting: .one)], facts: facts).compose()
        #expect(still.canvas == FrameSize(width: 800, height: 600))
        #expect(still.frameRate == FrameRate(30))
        let movingSecond = SampleDraft([.image("back", lasting: .one), .film("odd")], facts: facts.merging(["odd": odd]) { $1 })
        #expect(try movingSecond.compose().frameRate == FrameRate(25))
    }

    @Test("A preset fits the film into its box, rotated to match the film, and never enlarges it")
    func presets() throws {
        func canvas(_ url: String, _ preset: ExportSettings.Preset) throws -> FrameSize {
            var sample = SampleDraft([.film(url)], facts: facts)
            sample.settings.preset = preset
            return try sample.compose().canvas
        }
        #expect(try canvas("wide", .size640x480) == FrameSize(width: 640, height: 360))
        #expect(try canvas("tall", .size640x480) == FrameSize(width: 360, height: 640))
        #expect(try canvas("tall", .size1280x720) == FrameSize(width: 720, height: 1280))
        #expect(try canvas("wide", .size3840x2160) == FrameSize(width: 1920, height: 1080))
        #expect(try canvas("wide", .lowQuality) == FrameSize(width: 1920, height: 1080))
    }

    private func layers(_ clip: MainTrackClip, _ background: Background? = nil) throws -> [Layer] {
        var sample = SampleDraft([clip], facts: facts)
        sample.draft.videoSize = PixelSize(width: 640, height: 360)
        sample.draft.background = background
        return try #require(try sample.compose().instructions.first).layers
    }
}
