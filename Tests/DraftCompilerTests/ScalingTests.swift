import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Testing
import Vocabulary

@Suite("Placement of pictures on the canvas")
struct ScalingTests {
    @Test("With aspectFit the whole picture is visible in the middle of the canvas")
    func aspectFit() throws {
        let wide = try place(1920, 1080, mode: .aspectFit, on: 640, 480)
        #expect(wide.destination == PixelRect(x: 0, y: 60, width: 640, height: 360))
        #expect(wide.region == .whole)
        let tall = try place(1080, 1920, mode: .aspectFit, on: 640, 480)
        #expect(tall.destination == PixelRect(x: 184, y: 0, width: 270, height: 480))
    }

    @Test("With aspectFill the canvas is covered and equal parts are hidden on both sides")
    func aspectFill() throws {
        let placement = try place(1920, 1080, mode: .aspectFill, on: 480, 480)
        #expect(placement.destination == PixelRect(x: 0, y: 0, width: 480, height: 480))
        #expect(placement.region == Region(x: Rational(7, 32), y: .zero, width: Rational(9, 16), height: .one))
    }

    @Test("With fill the whole picture is stretched over the whole canvas")
    func fill() throws {
        let placement = try place(1920, 1080, mode: .fill, on: 480, 480)
        #expect(placement.destination == PixelRect(x: 0, y: 0, width: 480, height: 480))
        #expect(placement.region == .whole)
    }

    @Test("With none a picture keeps its pixels, and it is centred or cut on all sides")
    func none() throws {
        let small = try place(100, 50, mode: .none, on: 640, 480)
        #expect(small.destination == PixelRect(x: 270, y: 214, width: 100, height: 50))
        #expect(small.region == .whole)
        let large = try place(1280, 480, mode: .none, on: 640, 480)
        #expect(large.destination == PixelRect(x: 0, y: 0, width: 640, height: 480))
        #expect(large.region == Region(x: Rational(1, 4), y: .zero, width: Rational(1, 2), height: .one))
    }

    @Test("A preset that reduces the film also reduces a picture with scaling mode none")
    func noneWithPreset() throws {
        let placement = try place(320, 180, mode: .none, on: 1280, 720, preset: .size640x480)
        #expect(placement.destination == PixelRect(x: 240, y: 134, width: 160, height: 90))
    }

    @Test("A crop in pixels and the same crop in fractions select the same part")
    func crop() throws {
        let pixels = Rect(x: Rational(480), y: Rational(270), width: Rational(960), height: Rational(540))
        let fractions = Rect(x: Rational(1, 4), y: Rational(1, 4), width: Rational(1, 2), height: Rational(1, 2), unit: .ratio)
        let placement = try place(1920, 1080, mode: .aspectFit, on: 640, 360, crop: pixels)
        #expect(placement == (try place(1920, 1080, mode: .aspectFit, on: 640, 360, crop: fractions)))
        #expect(
            placement.region == Region(x: Rational(1, 4), y: Rational(1, 4), width: Rational(1, 2), height: Rational(1, 2)))
        #expect(placement.destination == PixelRect(x: 0, y: 0, width: 640, height: 360))
    }

    @Test("Rotation and non-square pixels are applied before the scaling mode")
    func upright() throws {
        let rotated = SourceFacts.film("x", quarterTurns: 3)
        #expect(try place(rotated, on: 640, 480).destination == PixelRect(x: 184, y: 0, width: 270, height: 480))
        let anamorphic = SourceFacts.film("x", size: FrameSize(width: 720, height: 576), sampleAspectRatio: Rational(64, 45))
        #expect(try place(anamorphic, on: 640, 480).destination == PixelRect(x: 0, y: 60, width: 640, height: 360))
    }

    @Test(
        "The destination is even and inside the canvas, and the aspect ratio is kept to two pixels",
        arguments: ScalingMode.allCases)
    func anySize(mode: ScalingMode) throws {
        var numbers = RandomNumbers(seed: 3)
        for _ in 0..<300 {
            let size = FrameSize(
                width: Int.random(in: 1...4000, using: &numbers), height: Int.random(in: 1...4000, using: &numbers))
            let canvas = FrameSize(
                width: 2 * Int.random(in: 8...1500, using: &numbers), height: 2 * Int.random(in: 8...1500, using: &numbers))
            let crop = Bool.random(using: &numbers) ? numbers.crop(of: size) : nil
            let placement = try place(size.width, size.height, mode: mode, on: canvas.width, canvas.height, crop: crop)
            let text = "\(mode) of \(size), crop \(String(describing: crop)), on \(canvas): \(placement)"
            let (rect, region) = (placement.destination, placement.region)
            #expect([rect.x, rect.y, rect.width, rect.height].allSatisfy { $0 % 2 == 0 }, "\(text)")
            #expect(rect.width > 0 && rect.height > 0 && rect.x >= 0 && rect.y >= 0, "\(text)")
            #expect(rect.x + rect.width <= canvas.width && rect.y + rect.height <= canvas.height, "\(text)")
            #expect(region.x >= .zero && region.x + region.width <= .one && region.width > .zero, "\(text)")
            #expect(region.y >= .zero && region.y + region.height <= .one && region.height > .zero, "\(text)")
            // Centred, as far as even edges allow.
            #expect(abs(2 * rect.x + rect.width - canvas.width) <= 2, "\(text)")
            #expect(abs(2 * rect.y + rect.height - canvas.height) <= 2, "\(text)")
            let seen = (
                width: region.width.doubleValue * Double(size.width), height: region.height.doubleValue * Double(size.height)
            )
            switch mode {
            case .fill: #expect(rect == PixelRect(canvas), "\(text)")
            case .aspectFit:
                #expect(rect.width == canvas.width || rect.height == canvas.height, "\(text)")
                expectShape(seen, rect, text)
            case .aspectFill:
                #expect(rect == PixelRect(canvas), "\(text)")
                expectShape(seen, rect, text)
            case .none:
                #expect(abs(Double(rect.width) - seen.width) <= 2 && abs(Double(rect.height) - seen.height) <= 2, "\(text)")
            }
        }
    }

    /// Both directions have one scale: the length in one gives that in the other to within one even pixel.
    private func expectShape(_ seen: (width: Double, height: Double), _ rect: PixelRect, _ text: String) {
        let acrossFromDown = Double(rect.height) / seen.height * seen.width
        let downFromAcross = Double(rect.width) / seen.width * seen.height
        let error = min(abs(Double(rect.width) - acrossFromDown), abs(Double(rect.height) - downFromAcross))
        #expect(error <= 2 + 1e-6, "\(text)")
    }

    private func place(
        _ width: Int, _ height: Int, mode: ScalingMode, on canvasWidth: Int, _ canvasHeight: Int, crop: Rect? = nil,
        preset: ExportSettings.Preset? = nil
    ) throws -> Placement {
        let facts = SourceFacts.picture("p", size: FrameSize(width: width, height: height))
        return try place(facts, mode: mode, on: canvasWidth, canvasHeight, crop: crop, preset: preset)
    }

    private func place(
        _ facts: SourceFacts, mode: ScalingMode = .aspectFit, on canvasWidth: Int, _ canvasHeight: Int, crop: Rect? = nil,
        preset: ExportSettings.Preset? = nil
    ) throws -> Placement {
        var clip = facts.video?.isStill == true ? MainTrackClip.image("p", lasting: .one) : .film("p")
        clip.scalingMode = mode
        clip.cropRect = crop
        var sample = SampleDraft([clip], facts: ["p": facts])
        sample.draft.videoSize = PixelSize(width: canvasWidth, height: canvasHeight)
        sample.settings.preset = preset
        return try #require(try sample.compose().instructions.first?.layers.last?.placement)
    }
}

extension RandomNumbers {
    /// A random part of a picture in whole pixels, at least one pixel wide and high.
    fileprivate mutating func crop(of size: FrameSize) -> Rect {
        let x = Int.random(in: 0..<size.width, using: &self)
        let y = Int.random(in: 0..<size.height, using: &self)
        return Rect(
            x: Rational(x), y: Rational(y), width: Rational(Int.random(in: 1...size.width - x, using: &self)),
            height: Rational(Int.random(in: 1...size.height - y, using: &self)))
    }
}
