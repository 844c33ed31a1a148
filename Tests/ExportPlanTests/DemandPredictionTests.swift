import ExactTime
import ExportPlan
import Testing
import Vocabulary

@Suite("Predictions of what jobs need")
struct DemandPredictionTests {
    private func facts(
        _ name: String = "film", _ width: Int = 1920, _ height: Int = 1080, format: String = "yuv420p", bits: Int = 8
    ) -> SourceFacts {
        var video = VideoFacts(
            streamIndex: 0, codec: "h264", size: FrameSize(width: width, height: height), orientation: .upright,
            sampleAspectRatio: .one, pixelFormat: format, hasAlpha: false, color: .bt709, timeBase: Rational(1, 90_000),
            frameRate: FrameRate(24), isVariableFrameRate: false, frameCount: 720, duration: MediaTime(seconds: 30),
            keyframes: [.zero], isStill: false)
        video.bitsPerSample = bits
        return SourceFacts(
            contentHash: name, byteCount: 1_000_000, container: "mp4", origin: .zero, video: video, audio: nil)
    }

    private func film(_ name: String = "film", backwards: Bool = false) -> Layer {
        let rate = backwards ? Rational(-1) : .one
        let timing = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: rate)
        return Layer(content: .video(source: name, timing: timing))
    }

    private func job(
        _ layers: [Layer], _ codec: VideoCodec = .prores, _ width: Int = 64, _ height: Int = 64, speed: String = "medium",
        frames: Int = 48
    ) -> RenderJob {
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 2))
        let rate: VideoRate = codec == .prores ? .fixed : .quality(constantRateFactor: 20)
        let slice = VideoSlice(
            canvas: FrameSize(width: width, height: height), frameRate: FrameRate(24), frameCount: frames,
            instruction: Instruction(timeRange: range, layers: layers),
            encode: VideoEncodeSettings(codec: codec, rate: rate, speed: speed, maxKeyframeInterval: 48))
        return .video(segment: VideoSegment(key: ArtifactKey("segment"), firstFrame: 0, slice: slice))
    }

    private func memory(_ work: RenderJob, _ facts: SourceFacts...) -> Int64 {
        DemandPrediction(facts: Dictionary(facts.map { ($0.contentHash, $0) }) { first, _ in first }).demand(of: work).memory
    }

    /// A segment of a film of 1080p in H.264, and the kilobytes that `/usr/bin/time -f %M` printed for the rendering process
    /// that did nothing else.
    struct Measured: Sendable {
        var codec: VideoCodec
        var width: Int
        var height: Int
        var speed: String
        var frames: Int
        var kilobytes: Int64
    }

    @Test(
        "A prediction is not below what a rendering process took, and at most three fifths above",
        arguments: [
            Measured(codec: .h264, width: 960, height: 540, speed: "ultrafast", frames: 48, kilobytes: 104_048),
            Measured(codec: .h264, width: 960, height: 540, speed: "medium", frames: 48, kilobytes: 200_804),
            Measured(codec: .h264, width: 960, height: 540, speed: "slower", frames: 48, kilobytes: 224_160),
            Measured(codec: .h264, width: 1920, height: 1080, speed: "medium", frames: 48, kilobytes: 282_616),
            Measured(codec: .h264, width: 3840, height: 2160, speed: "medium", frames: 24, kilobytes: 702_332),
            Measured(codec: .hevc, width: 960, height: 540, speed: "fast", frames: 36, kilobytes: 231_468),
            Measured(codec: .hevc, width: 960, height: 540, speed: "medium", frames: 48, kilobytes: 268_544),
            Measured(codec: .hevc, width: 1920, height: 1080, speed: "fast", frames: 36, kilobytes: 417_500),
            Measured(codec: .vp9, width: 960, height: 540, speed: "fast", frames: 48, kilobytes: 188_456),
            Measured(codec: .vp9, width: 1920, height: 1080, speed: "veryfast", frames: 36, kilobytes: 370_056),
            Measured(codec: .av1, width: 960, height: 540, speed: "fast", frames: 48, kilobytes: 260_004),
            Measured(codec: .av1, width: 1920, height: 1080, speed: "veryfast", frames: 36, kilobytes: 418_668),
            Measured(codec: .prores, width: 960, height: 540, speed: "medium", frames: 48, kilobytes: 95_660),
            Measured(codec: .prores, width: 1920, height: 1080, speed: "medium", frames: 12, kilobytes: 99_004),
        ])
    func measured(_ known: Measured) {
        let work = job([film()], known.codec, known.width, known.height, speed: known.speed, frames: known.frames)
        let predicted = memory(work, facts())
        #expect(predicted >= known.kilobytes * 1024 && predicted <= known.kilobytes * 1024 * 8 / 5)
    }

    @Test("Larger films need more, and so do larger sources and those of more bits")
    func sizes() {
        let small = memory(job([film()], .h264, 640, 360), facts())
        let large = memory(job([film()], .hevc, 3840, 2160), facts())
        #expect(large > 4 * small)
        let source = memory(job([film()]), facts("film", 3840, 2160))
        #expect(source > memory(job([film()]), facts()))
        #expect(memory(job([film()]), facts("film", 3840, 2160, format: "yuv420p10le", bits: 10)) > source)
    }

    @Test("A source that two layers play at the same times is decoded once, and two sources are decoded twice")
    func readers() {
        let (first, second) = (facts("film", 3840, 2160), facts("other", 3840, 2160))
        let one = memory(job([film()]), first)
        let blurred = Layer(content: .blurred(layer: film(), deviation: 20))
        #expect(memory(job([blurred, film()]), first) == one)
        #expect(memory(job([film("other"), film()]), first, second) > one)
    }

    @Test("A source that plays backwards has frames kept")
    func backwards() {
        #expect(memory(job([film(backwards: true)]), facts()) > memory(job([film()]), facts()))
    }

    @Test("A source without facts counts as one of the canvas's size")
    func unknown() {
        #expect(memory(job([film()], .h264, 1920, 1080)) == memory(job([film()], .h264, 1920, 1080), facts()))
    }

    @Test("What plug-ins are given and what they draw is counted, by the size of their pictures")
    func plugins() {
        func needed(_ layer: Layer, _ size: Int) -> Int64 {
            memory(job([layer], .prores, size, size)) - memory(job([Layer(content: .solid(color: .black))], .prores, size, size))
        }
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        let call = Operation(name: "mixer", source: "burn")
        let mixer = TransitionMixer(call: call, progress: "fader", from: 0, to: 1)
        let still = Layer(content: .still(source: "still"))
        func generator(_ size: Int) -> Layer {
            let timing = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: .one)
            return Layer(
                content: .generator(
                    GeneratedContent(call: call, size: FrameSize(width: size, height: size), timing: timing)))
        }
        var mixed = still
        mixed.mixer = call
        var appearing = still
        appearing.transitions = [LayerTransition(kind: .externalTransition, direction: .entering, timeRange: range, mixer: mixer)]
        var builtIn = still
        builtIn.transitions = [LayerTransition(kind: .dissolve, direction: .entering, timeRange: range)]
        // At least the two pictures and the result in four bytes a pixel.
        #expect(needed(mixed, 1000) - needed(still, 1000) >= 12_000_000)
        #expect(needed(appearing, 1000) - needed(builtIn, 1000) >= 12_000_000)
        #expect(needed(generator(1000), 64) - needed(generator(100), 64) >= 4 * (1_000_000 - 10_000))
        func joined(_ mixer: TransitionMixer?) -> Layer {
            Layer(
                content: .transition(
                    Transition(
                        kind: mixer == nil ? .dissolve : .externalTransition, timeRange: range, from: [still], to: [still],
                        mixer: mixer)))
        }
        #expect(needed(joined(mixer), 1000) - needed(joined(nil), 1000) >= 12_000_000)
    }

    @Test("Sound is mixed in blocks, so a segment of an hour needs what one of a second does")
    func sound() {
        func mix(_ samples: Int) -> RenderJob {
            let input = AudioSliceInput(
                source: "film", firstSample: 0, sampleCount: samples, playbackRate: .one, sourceSample: 0, reversed: false,
                timeStretch: nil, gains: [])
            let slice = AudioSlice(sampleRate: 48_000, channels: 2, sampleCount: samples, inputs: [input])
            return .audio(segment: AudioSegment(key: ArtifactKey("sound"), firstSample: 0, slice: slice))
        }
        #expect(memory(mix(48_000), facts()) == memory(mix(48_000 * 3600), facts()))
    }

    @Test("A stitch needs more for millions of frames, and nothing that a plan may say makes the sum overflow")
    func stitch() {
        func film(_ frames: Int) -> RenderJob {
            let container = ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:])
            let plan = StitchPlan(key: ArtifactKey("film"), frameRate: FrameRate(24), frameCount: frames, container: container)
            return .stitch(plan: plan, segments: [], soundtrack: nil, output: nil)
        }
        #expect(memory(film(10_000_000)) > 10 * memory(film(24)))
        #expect(memory(film(.max)) == JobDemand(memory: Int64(1e15)).memory)
    }

    @Test("A no-op job needs nothing, and a plan's jobs have their demands")
    func plans() {
        #expect(DemandPrediction().demand(of: .noOp) == JobDemand())
        let container = ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:])
        guard case .video(let segment, _) = job([film()], .h264, 1920, 1080) else {
            Issue.record("the job is no video job")
            return
        }
        let plan = RenderPlan(
            videoSegments: [segment], audioSegments: [], soundtrack: nil,
            stitch: StitchPlan(key: ArtifactKey("film"), frameRate: FrameRate(24), frameCount: 48, container: container))
        let jobs = plan.jobs(predictedBy: .builtIn, facts: ["film": facts("film", 3840, 2160)])
        #expect(jobs.map(\.kind) == [.video, .stitch] && jobs.allSatisfy { $0.demand.memory > 64 << 20 })
        #expect((jobs.first?.demand.memory ?? 0) > (plan.jobs.first?.demand.memory ?? 0))
    }
}
