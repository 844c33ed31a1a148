import ExactTime
import ExportPlan
import Testing
import Vocabulary
import FoundationEssentials

@Suite("The features of a job")
struct JobFeaturesTests {
    private static let key = ArtifactKey("key")

    /// Facts of a film of 2 megapixels at 25 frames a second with a keyframe every 4 s.
    private func facts(_ codec: String = "h264") -> SourceFacts {
        SourceFacts(
            contentHash: "film", byteCount: 5, container: "mp4", origin: .zero,
            video: VideoFacts(
                streamIndex: 0, codec: codec, size: FrameSize(width: 2000, height: 1000), orientation: .upright,
                sampleAspectRatio: .one, pixelFormat: "yuv420p", hasAlpha: false, color: .bt709,
                timeBase: Rational(1, 90_000), frameRate: FrameRate(25), isVariableFrameRate: false, frameCount: 500,
                duration: MediaTime(seconds: 20), keyframes: [0, 4, 8, 12, 16].map { MediaTime(seconds: $0) }, isStill: false),
            audio: nil)
    }

    /// Two seconds at 30 frames a second, of a megapixel each.
    private func segment(_ layers: [Layer], _ encode: VideoEncodeSettings? = nil) -> VideoSegment {
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 2))
        let usual = VideoEncodeSettings(
            codec: .h264, rate: .quality(constantRateFactor: 20), speed: "medium", maxKeyframeInterval: 60)
        return VideoSegment(
            key: Self.key, firstFrame: 0,
            slice: VideoSlice(
                canvas: FrameSize(width: 1000, height: 1000), frameRate: FrameRate(30), frameCount: 60,
                instruction: Instruction(timeRange: range, layers: layers), encode: encode ?? usual))
    }

    private func film(from start: Int, rate: Rational = .one, loop: TimeRange? = nil) -> Layer {
        let timing = SourceTiming(timelineStart: .zero, sourceStart: MediaTime(seconds: start), rate: rate, loop: loop)
        return Layer(content: .video(source: "film", timing: timing))
    }

    private func amounts(_ job: RenderJob, _ facts: SourceFacts? = nil) throws -> [JobFeature: Double] {
        let features = try #require(JobFeatures(job, facts: facts.map { [$0.contentHash: $0] } ?? [:]))
        let kind = features.costClass.kind
        #expect(features.amounts.count == kind.features.count && kind.features.first == .start)
        return Dictionary(uniqueKeysWithValues: zip(kind.features, features.amounts))
    }

    @Test("A segment that plays a source decodes it from the keyframe before, by the size and codec that the facts have")
    func decoding() throws {
        // From 5 s to 7 s and from the keyframe at 4 s: 75 frames and one more, 2 megapixels each.
        let plain = try amounts(.video(segment: segment([film(from: 5)])), facts())
        #expect(plain[.decodedPixels] == 152 && plain[.encodedPixels] == 60 && plain[.drawnPixels] == 60)
        #expect(plain[.filteredPixels] == 0 && plain[.joinedPixels] == 0 && plain[.start] == 1)
        #expect(try amounts(.video(segment: segment([film(from: 5)])), facts("hevc"))[.decodedPixels] == 228)
        // At twice the speed from 8 s to 12 s, which begins at a keyframe.
        let fast = film(from: 8, rate: Rational(2))
        #expect(try amounts(.video(segment: segment([fast])), facts())[.decodedPixels] == 202)
        // Backwards from 8 s to 6 s: from the keyframe at 4 s.
        let backwards = film(from: 8, rate: Rational(-1))
        #expect(try amounts(.video(segment: segment([backwards])), facts())[.decodedPixels] == 202)
        // Held at 5 s.
        #expect(try amounts(.video(segment: segment([film(from: 5, rate: .zero)])), facts())[.decodedPixels] == 52)
        // Without facts: the film's own size and rate.
        #expect(try amounts(.video(segment: segment([film(from: 5)])))[.decodedPixels] == 61)
    }

    @Test("A source's repetitions are counted by how long they play")
    func loop() throws {
        let loop = TimeRange(start: MediaTime(seconds: 4), duration: MediaTime(Rational(1, 2)))
        let amount = try amounts(.video(segment: segment([film(from: 4, loop: loop)])), facts())[.decodedPixels]
        #expect(amount == 102)
    }

    @Test("The references of a job count as facts, and its features are then those of the plan")
    func references() throws {
        let planned = RenderJob.video(segment: segment([film(from: 5)]))
        let sent = planned.with(sources: [SourceReference(facts: facts(), path: "/media/film.mp4")])
        #expect(JobFeatures(sent) == JobFeatures(planned, facts: ["film": facts()]))
        #expect(JobFeatures(sent) != JobFeatures(planned))
    }

    @Test("Layers count for as long as they are seen, freely transformed ones twice, and each operation and mask")
    func layers() throws {
        let second = TimeRange(start: MediaTime(Rational(1, 2)), duration: MediaTime(seconds: 1))
        let none = LayerTransform.Pair(x: .constant(0), y: .constant(0))
        var moved = Layer(content: .solid(color: .black), timeRange: second)
        moved.transform = LayerTransform(
            position: none, anchor: none, scale: LayerTransform.Pair(x: .constant(1), y: .constant(1)), rotation: .constant(0))
        moved.operations = [Operation(name: "sepia"), Operation(name: "blur")]
        moved.mask = LayerMask(
            layers: [Layer(content: .solid(color: .black))], size: FrameSize(width: 10, height: 10), channel: .alpha,
            feather: .constant(0), isInverted: false)
        let adjustment = Layer(content: .adjustment, operations: [Operation(name: "sepia")])
        let hidden = Layer(content: .solid(color: .black), timeRange: TimeRange(start: MediaTime(seconds: 5), duration: .zero))
        let found = try amounts(.video(segment: segment([Layer(content: .solid(color: .black)), moved, adjustment, hidden])))
        // 60 of the background, twice 30 of the moved layer, 30 of its mask's layer.
        #expect(found[.drawnPixels] == 150)
        // Two operations and a mask for a second, one operation for two.
        #expect(found[.filteredPixels] == 150)
    }

    @Test("Transitions, groups and blurred layers count with what they consist of")
    func nested() throws {
        let solid = Layer(content: .solid(color: .black))
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 2))
        let transition = Layer(
            content: .transition(
                Transition(
                    kind: .dissolve, timeRange: range, from: [solid],
                    to: [Layer(content: .group(layers: [solid, solid], size: FrameSize(width: 10, height: 10)))])))
        let blurred = Layer(content: .blurred(layer: film(from: 4), deviation: 20))
        let found = try amounts(.video(segment: segment([transition, blurred])), facts())
        #expect(found[.joinedPixels] == 60)
        // The outgoing solid, the group and its two, the blurred layer and what it blurs.
        #expect(found[.drawnPixels] == 360 && found[.filteredPixels] == 60 && found[.decodedPixels] == 102)
    }

    @Test("A generator counts as what it draws, and a mixer as an operation")
    func plugins() throws {
        let range = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        let call = Operation(name: "mixer", source: "burn")
        let timing = SourceTiming(timelineStart: .zero, sourceStart: .zero, rate: .one)
        // A quarter of a megapixel in each of 60 frames.
        let generated = GeneratedContent(call: call, size: FrameSize(width: 500, height: 500), timing: timing)
        let generator = try amounts(.video(segment: segment([Layer(content: .generator(generated))])))
        #expect(generator[.filteredPixels] == 15 && generator[.drawnPixels] == 60)
        let solid = Layer(content: .solid(color: .black))
        var mixed = solid
        mixed.mixer = call
        #expect(try amounts(.video(segment: segment([mixed])))[.filteredPixels] == 60)
        let mixer = TransitionMixer(call: call, progress: "fader", from: 0, to: 1)
        let transition = Transition(
            kind: .externalTransition, timeRange: range, from: [solid], to: [solid], mixer: mixer)
        let joined = try amounts(.video(segment: segment([Layer(content: .transition(transition), timeRange: range)])))
        #expect(joined[.joinedPixels] == 30 && joined[.filteredPixels] == 30)
        var appearing = solid
        appearing.transitions = [LayerTransition(kind: .externalTransition, direction: .entering, timeRange: range, mixer: mixer)]
        #expect(try amounts(.video(segment: segment([appearing])))[.filteredPixels] == 30)
    }

    @Test("The encoder's speed and its passes multiply what is encoded")
    func encoding() throws {
        func encoded(
            _ codec: VideoCodec, _ speed: String, _ rate: VideoRate = .fixed, isMeasure: Bool = false
        ) throws -> Double? {
            let encode = VideoEncodeSettings(codec: codec, rate: rate, speed: speed, maxKeyframeInterval: 60)
            let own = segment([Layer(content: .solid(color: .black))], encode)
            return try amounts(isMeasure ? .measure(segment: own) : .video(segment: own))[.encodedPixels]
        }
        #expect(try encoded(.h264, "medium") == 60 && encoded(.h264, "veryslow") == 300 && encoded(.h264, "nonesuch") == 60)
        #expect(try encoded(.prores, "veryslow") == 60)
        #expect(try encoded(.gif, "medium") == 120)
        let share = VideoRate.share(bitrate: 1000, allocation: Self.key, measure: Self.key)
        #expect(try encoded(.hevc, "medium", share) == 120 && encoded(.hevc, "medium", share, isMeasure: true) == 60)
        #expect(JobFeatures(.video(segment: segment([])))?.costClass.name == "video h264")
        #expect(JobFeatures(.measure(segment: segment([])))?.costClass.name == "measure h264")
    }

    @Test("Sounds count their inputs, and what a time stretcher makes as a whole")
    func sound() throws {
        func input(_ samples: Int, _ settings: AudioSliceInput.TimeStretch? = nil) -> AudioSliceInput {
            AudioSliceInput(
                source: "sound", firstSample: 0, sampleCount: samples, playbackRate: .one, sourceSample: 0, reversed: false,
                timeStretch: settings, gains: [])
        }
        let window = AudioSliceInput.Window(firstSample: 0, stretchedSampleCount: 480_000)
        let slice = AudioSlice(
            sampleRate: 48_000, channels: 2, sampleCount: 240_000,
            inputs: [
                input(240_000), input(48_000, AudioSliceInput.TimeStretch(sourceSampleCount: 96_000, pitch: 0)),
                input(48_000, AudioSliceInput.TimeStretch(sourceSampleCount: 96_000, pitch: 0, window: window)),
            ])
        let found = try amounts(.audio(segment: AudioSegment(key: Self.key, firstSample: 0, slice: slice)))
        #expect(found == [.start: 1, .mixedSound: 12, .stretchedSound: 11])
    }

    @Test("A soundtrack counts its seconds, and the passes of its mastering")
    func soundtrack() throws {
        func found(_ mastering: Mastering?) throws -> [JobFeature: Double] {
            let plan = SoundtrackPlan(
                key: Self.key, encode: AudioEncodeSettings(bitrate: 128_000, sampleRate: 48_000, channels: 2),
                sampleCount: 480_000, mastering: mastering)
            return try amounts(.soundtrack(plan: plan, segments: []))
        }
        #expect(try found(nil) == [.start: 1, .encodedSound: 10, .masteredSound: 0])
        #expect(try found(Mastering(loudness: nil, truePeak: -1))[.masteredSound] == 10)
        #expect(try found(Mastering(loudness: -16, truePeak: -1))[.masteredSound] == 40)
    }

    @Test("A stitch counts frames and what it joins, an allocation its measurements, and a probe is only a start")
    func others() throws {
        let stitch = StitchPlan(
            key: Self.key, frameRate: FrameRate(30), frameCount: 900,
            container: ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:]))
        let segments = (0..<7).map { StitchSegment(key: ArtifactKey("\($0)"), frameCount: 100) }
        #expect(
            try amounts(.stitch(plan: stitch, segments: segments, soundtrack: nil, output: nil))
                == [.start: 1, .frames: 900, .parts: 7])
        let allocation = AllocationPlan(key: Self.key, bits: 1000, measures: segments.map(\.key))
        #expect(try amounts(.allocation(plan: allocation)) == [.start: 1, .parts: 7])
        #expect(try amounts(.probe(path: "/media/a.mp4")) == [.start: 1])
        #expect(JobFeatures(.noOp) == nil)
    }

    @Test("Amounts are bounded, whatever a source claims")
    func hostile() throws {
        var claims = facts()
        claims.video?.size = FrameSize(width: Int.max, height: Int.max)
        claims.video?.frameRate = FrameRate(Int(Int32.max))
        let features = try #require(JobFeatures(.video(segment: segment([film(from: 5)])), facts: ["film": claims]))
        #expect(features.amounts.allSatisfy { $0.isFinite && $0 >= 0 && $0 <= 1e9 })
        let seconds = CostTable.builtIn.seconds(of: features)
        #expect(seconds.isFinite && seconds > 0)
    }

    @Test("Features are the same after they were sent; those of another version, or that no job has, are refused")
    func coding() throws {
        let features = try #require(JobFeatures(.video(segment: segment([film(from: 5)])), facts: ["film": facts("hevc")]))
        let json = String(decoding: try JSONEncoder().encode(features), as: UTF8.self)
        #expect(try JSONDecoder().decode(JobFeatures.self, from: Data(json.utf8)) == features)
        let own = #""version":\#(JobFeatures.version)"#
        try #require(json.contains(own))
        for wrong in [
            json.replacing(own, with: #""version":0"#), json.replacing("video h264", with: "stitch"),
            json.replacing("video h264", with: "video nonesuch"), json.replacing("[1,", with: "[2,"),
            json.replacing("228", with: "-228"), json.replacing("228", with: "1e12"),
        ] {
            #expect(throws: DecodingError.self, "\(wrong)") {
                try JSONDecoder().decode(JobFeatures.self, from: Data(wrong.utf8))
            }
        }
    }

    @Test("The predicted pictures of an instruction cost what its segment does, but for what a job takes to begin")
    func instruction() throws {
        let segment = segment([film(from: 5)])
        let features = try #require(JobFeatures(.video(segment: segment), facts: ["film": facts()]))
        var instruction = segment.slice.instruction
        // The same a minute later, because the instructions of a composition have its times.
        let minute = MediaTime(seconds: 60)
        instruction.timeRange = TimeRange(start: minute, duration: instruction.timeRange.duration)
        instruction.layers = instruction.layers.map { $0.shifted(by: minute) }
        let composition = Composition(
            canvas: segment.slice.canvas, frameRate: segment.slice.frameRate, duration: MediaTime(seconds: 62),
            instructions: [instruction], audioInputs: [])
        let costs = PictureCosts(composition, segment.slice.encode, facts: ["film": facts()])
        let start = CostTable.builtIn.coefficients(of: features.costClass)[0]
        #expect(abs(CostTable.builtIn.seconds(of: features) - start - costs.seconds(of: instruction)) < 1e-9)
        let video = try #require(facts().video)
        #expect(abs(costs.decoding(video) - 25 * 2 * 0.004) < 1e-9 && abs(costs.encoding - 30 * 0.04) < 1e-9)
    }

    @Test("A measurement takes between no time and a week")
    func measurement() throws {
        for seconds in [0, -1, .nan, .infinity, JobMeasurement.longest * 2] {
            #expect(JobMeasurement(.probe(path: "a"), seconds: seconds) == nil)
        }
        let measured = try #require(JobMeasurement(.probe(path: "a"), seconds: 1.5))
        let json = String(decoding: try JSONEncoder().encode(measured), as: UTF8.self)
        #expect(try JSONDecoder().decode(JobMeasurement.self, from: Data(json.utf8)) == measured)
        let negative = json.replacing("1.5", with: "-1.5")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JobMeasurement.self, from: Data(negative.utf8)) }
        #expect(JobMeasurement(.noOp, seconds: 1) == nil)
    }
}
