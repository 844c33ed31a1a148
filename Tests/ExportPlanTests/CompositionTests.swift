import ExactTime
import ExportPlan
import TestSupport
import Testing

@Suite("Composition and source facts")
struct CompositionTests {
    @Test("Each frame belongs to the instruction whose range contains the frame's time")
    func instructionAtFrame() throws {
        let half = MediaTime(Rational(1, 2))
        let instructions = [
            Instruction(timeRange: TimeRange(from: .zero, to: half), layers: []),
            Instruction(
                timeRange: TimeRange(from: half, to: MediaTime(seconds: 1)), layers: [Layer(content: .solid(color: .black))]),
        ]
        let composition = Composition(
            canvas: FrameSize(width: 16, height: 16), frameRate: FrameRate(25), duration: MediaTime(seconds: 1),
            instructions: instructions, audioInputs: [])
        #expect(composition.frameCount == 25)
        // Frame 12 is at 0.48 s, frame 13 at 0.52 s.
        #expect(composition.instruction(atFrame: 12) == instructions[0])
        #expect(composition.instruction(atFrame: 13) == instructions[1])
        #expect(composition.instruction(atFrame: 25) == nil)
    }

    @Test("A film slightly longer than ten frames has eleven frames")
    func partialFrame() {
        let composition = Composition(
            canvas: FrameSize(width: 16, height: 16), frameRate: FrameRate(10), duration: MediaTime(Rational(1001, 1000)),
            instructions: [], audioInputs: [])
        #expect(composition.frameCount == 11)
    }

    @Test("The display size applies the sample aspect ratio before the rotation")
    func displaySize() {
        var facts = video(timeBase: Rational(1, 90_000), rate: FrameRate(25))
        facts.sampleAspectRatio = Rational(64, 45)
        #expect(facts.displaySize == FrameSize(width: 1024, height: 576))
        facts.orientation = Orientation(quarterTurns: 3, mirrored: false)
        #expect(facts.displaySize == FrameSize(width: 576, height: 1024))
        facts.orientation = Orientation(quarterTurns: 2, mirrored: true)
        #expect(facts.displaySize == FrameSize(width: 1024, height: 576))
    }

    @Test("A frame may start one tick late, but at most a quarter of a frame")
    func startTolerance() {
        let fine = video(timeBase: Rational(1, 1000), rate: FrameRate(30))
        #expect(fine.startTolerance == MediaTime(Rational(1, 1000)))
        let coarse = video(timeBase: Rational(1, 25), rate: FrameRate(25))
        #expect(coarse.startTolerance == MediaTime(Rational(1, 100)))
    }

    private func video(timeBase: Rational, rate: FrameRate) -> VideoFacts {
        VideoFacts(
            streamIndex: 0, codec: "h264", size: FrameSize(width: 720, height: 576), orientation: .upright,
            sampleAspectRatio: .one, pixelFormat: "yuv420p", hasAlpha: false, color: .bt709, timeBase: timeBase, frameRate: rate,
            isVariableFrameRate: false, frameCount: 25, duration: MediaTime(seconds: 1), keyframes: [.zero], isStill: false)
    }
}
