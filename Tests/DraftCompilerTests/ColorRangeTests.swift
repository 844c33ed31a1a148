import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import TestSupport
import Vocabulary

/// Films that keep their sources' colours: their colour description, and what they cannot contain.
@Suite("Films with colorRange hdr")
struct ColorRangeTests {
    private let facts: [String: SourceFacts] = [
        "pq": .deep("pq", .pq), "pq2": .deep("pq2", .pq), "hlg": .deep("hlg", .hlg), "sdr": .film("sdr"),
        "deep": .deep("deep", .sdr), "card": .picture("card"), "clear": .deep("clear", .pq) { $0.hasAlpha = true },
        "rgb": .deep("rgb", .pq) { $0.color.matrix = .rgb }, "m": .sound("m"), "t": .captions("t"),
    ]

    private func sample(_ clips: [MainTrackClip], _ change: (inout Draft) -> Void = { _ in }) -> SampleDraft {
        var sample = SampleDraft(clips, facts: facts)
        sample.settings.colorRange = .hdr
        change(&sample.draft)
        return sample
    }

    private func faults(_ clips: [MainTrackClip], _ change: (inout Draft) -> Void = { _ in }) -> [Fault] {
        sample(clips, change).faults()
    }

    @Test("Trimming, rotation, crops, speed, freezes, repetition and reverse are accepted")
    func allowed() throws {
        let clip = MainTrackClip.film("pq", from: Rational(1), lasting: Rational(4)).with {
            $0.speed = .constant(Rational(2))
            $0.reverse = true
            $0.cropRect = Rect(x: .zero, y: .zero, width: Rational(640), height: Rational(360))
            $0.preferredTransform = PreferredTransform(rotation: 90, mirrored: true)
            $0.opacity = 1
        }
        let modes = ScalingMode.allCases.map { mode in MainTrackClip.film("pq").with { $0.scalingMode = mode } }
        let sample = sample([clip, .film("m")] + modes) { draft in
            draft.videoSize = PixelSize(width: 500, height: 300)
            draft.background = Background(type: .color, color: Color(red: 0, green: 0, blue: 0))
            var freeze = Effect(type: .freeze)
            freeze.duration = MediaTime(seconds: 1)
            var repetition = Effect(type: .repetition)
            repetition.count = 2
            var speed = Effect(type: .speed)
            speed.speed = Rational(3, 2)
            draft.effects = [freeze, repetition, speed]
            draft.audioClips = [.sound("m")]
        }
        #expect(sample.faults() == [])
        let encode = try sample.plan().videoSegments.map(\.slice.encode)
        #expect(encode.allSatisfy { $0.codec == .hevc && $0.color?.color == facts["pq"]?.video?.color })
    }

    @Test("Everything that needs composing is an error at its path, with a remedy")
    func composed() throws {
        let clips = [
            MainTrackClip.film("pq").with {
                $0.filters = [Filter(type: "sepia")]
                $0.opacity = 0.5
                $0.frameBlending = true
                $0.transform = Transform()
                $0.animations = [
                    Animation(keyPath: "opacity", KeyedCurve(keyTimes: [.zero, MediaTime(seconds: 1)], values: [0, 1]))
                ]
            },
            .film("pq").joined(Rational(1)),
        ]
        let places = ["frameBlending", "transform", "opacity", "filters", "animations"].map { "mainTrackClips[0].\($0)" }
        #expect(faults(clips).map(\.path) == places + ["mainTrackClips[1].transition"])
        #expect(faults(clips).allSatisfy { $0.code == .conflict })
        let plain = [MainTrackClip.film("pq")]
        #expect(faults(plain) { $0.background = Background(type: .blur, radius: 10) } == [Fault("background", .conflict)])
        #expect(faults(plain) { $0.background = Background(type: .image, url: "card") } == [Fault("background", .conflict)])
        let grey = Background(type: .color, color: Color(red: 9, green: 9, blue: 9))
        #expect(faults(plain) { $0.background = grey } == [Fault("background.color", .conflict)])
        var filter = Effect(type: .filter)
        filter.operation = Filter(type: "sepia")
        #expect(faults(plain) { $0.effects = [filter] } == [Fault("effects[0]", .conflict)])
        let message = sample(plain) { $0.background = grey }.diagnostics()[0].message
        #expect(
            message
                == "is composed in 8 bits of BT.709, and colorRange hdr keeps the sources' colours; leave it out, or export with colorRange sdr"
        )
    }

    @Test("A layer is an error, and captions that are only a subtitle track are not")
    func layers() throws {
        func faults(_ source: String) throws -> [Fault] {
            var sample = try SampleDraft(
                json: """
                    {"version": 1, "mainTrackClips": [{"type": "av", "url": "pq"}],
                     "layers": [{"timeRange": {"start": 0, "duration": 1}, "source": \(source)}]}
                    """, facts: facts)
            sample.settings.colorRange = .hdr
            return sample.faults()
        }
        #expect(try faults(##"{"type": "solid", "color": "#FF0000"}"##) == [Fault("layers[0]", .conflict)])
        #expect(try faults(#"{"type": "video", "url": "pq"}"#) == [Fault("layers[0]", .conflict)])
        #expect(try faults(#"{"type": "captions", "url": "t", "burnIn": false, "subtitleTrack": {"language": "eng"}}"#) == [])
    }

    @Test("A picture with another colour description than the first is an error that names both")
    func kinds() {
        #expect(faults([.film("pq"), .film("pq2"), .film("hlg")]) == [Fault("mainTrackClips[2].url", .conflict)])
        #expect(faults([.film("sdr"), .film("pq")]) == [Fault("mainTrackClips[1].url", .conflict)])
        #expect(faults([.film("pq"), .image("card", lasting: .one)]) == [Fault("mainTrackClips[1].url", .conflict)])
        #expect(faults([.film("sdr"), .film("deep"), .film("m")]) == [])
        #expect(faults([.film("clear")]) == [Fault("mainTrackClips[0].url", .conflict)])
        #expect(faults([.film("rgb")]) == [Fault("mainTrackClips[0].url", .conflict)])
        let remedy = "which colorRange hdr cannot keep; leave it out, or export with colorRange sdr"
        #expect(sample([.film("clear")]).diagnostics()[0].message == "'clear' has transparency, \(remedy)")
        #expect(sample([.film("rgb")]).diagnostics()[0].message == "'rgb' is a picture in RGB, \(remedy)")
        let message = sample([.film("pq"), .film("hlg")]).diagnostics()[0].message
        #expect(
            message
                == "'hlg' is HLG with bt2020 primaries and a bt2020 matrix, but 'pq' (mainTrackClips[0].url) is PQ with bt2020 primaries "
                + "and a bt2020 matrix; a film that keeps its sources' colours needs one kind of them: leave one of the clips out, or export with colorRange sdr"
        )
    }

    @Test("A draft with only 8-bit pictures, or with no pictures, cannot be exported as hdr")
    func nothing() {
        #expect(faults([.film("sdr")]) == [Fault("settings.colorRange", .conflict)])
        #expect(
            faults([.film("m")]) { $0.videoSize = PixelSize(width: 64, height: 64) } == [Fault("settings.colorRange", .conflict)])
    }

    @Test("colorRange sdr gives the same plan with the same keys as no colorRange")
    func sdr() throws {
        var sample = SampleDraft([.film("pq"), .film("hlg").joined(.one)], facts: facts)
        let plan = try sample.plan()
        sample.settings.colorRange = .sdr
        #expect(try sample.plan() == plan)
        #expect(plan.videoSegments.allSatisfy { $0.slice.encode.color == nil })
        #expect(plan.stitch.container.hdrMetadata == nil)
    }

    private func display(_ peak: Int) -> MasteringDisplay {
        func place(_ x: Int64, _ y: Int64) -> MasteringDisplay.Chromaticity {
            MasteringDisplay.Chromaticity(x: Rational(x, 1000), y: Rational(y, 1000))
        }
        return MasteringDisplay(
            red: place(680, 320), green: place(265, 690), blue: place(150, 60), white: place(313, 329),
            minLuminance: Rational(1, 200), maxLuminance: Rational(peak))
    }

    private func hdrMetadata(_ sources: [HDRMetadata?]) throws -> HDRMetadata? {
        var facts: [String: SourceFacts] = [:]
        for (index, metadata) in sources.enumerated() {
            facts["c\(index)"] = .deep("c\(index)", .pq) { $0.hdrMetadata = metadata }
        }
        var sample = SampleDraft(sources.indices.map { MainTrackClip.film("c\($0)") }, facts: facts)
        sample.settings.colorRange = .hdr
        let plan = try sample.plan()
        let found = plan.videoSegments[0].slice.encode.color?.hdrMetadata
        #expect(plan.stitch.container.hdrMetadata == found)
        return found
    }

    @Test("HDR metadata has the first mastering display, and the highest content light if all clips state it")
    func filmMetadata() throws {
        let dim = HDRMetadata(
            masteringDisplay: display(1000), contentLight: ContentLight(maxContent: 900, maxFrameAverage: 300))
        let bright = HDRMetadata(
            masteringDisplay: display(4000), contentLight: ContentLight(maxContent: 3000, maxFrameAverage: 200))
        #expect(try hdrMetadata([dim, dim]) == dim)
        #expect(try hdrMetadata([nil, nil]) == nil)
        #expect(
            try hdrMetadata([dim, bright])
                == HDRMetadata(
                    masteringDisplay: display(1000), contentLight: ContentLight(maxContent: 3000, maxFrameAverage: 300)))
        #expect(try hdrMetadata([nil, bright]) == HDRMetadata(masteringDisplay: display(4000), contentLight: nil))
    }

    @Test("The film has the sources' chroma location if all agree, and otherwise left")
    func chroma() throws {
        func location(_ locations: [ChromaLocation?]) throws -> ChromaLocation? {
            var facts: [String: SourceFacts] = [:]
            for (index, location) in locations.enumerated() {
                facts["c\(index)"] = .deep("c\(index)", .pq) { $0.chromaLocation = location }
            }
            var sample = SampleDraft(locations.indices.map { MainTrackClip.film("c\($0)") }, facts: facts)
            sample.settings.colorRange = .hdr
            return try sample.plan().videoSegments[0].slice.encode.color?.chromaLocation
        }
        #expect(try location([.topLeft, .topLeft]) == .topLeft)
        #expect(try location([.topLeft, nil]) == nil)
        #expect(try location([.left, nil]) == nil)
    }

    @Test("Segments are measured for a bitrate in the same colours as the film")
    func bitrate() throws {
        var sample = sample([.film("pq")])
        sample.settings.videoBitrate = 5_000_000
        let plan = try sample.plan()
        let measures = try #require(plan.bitrate?.measures)
        #expect(!measures.isEmpty && measures.allSatisfy { $0.slice.encode.color?.color.transfer == .pq })
    }
}

extension SourceFacts {
    /// A film with 10 bits per sample.
    fileprivate static func deep(
        _ name: String, _ transfer: ColorDescription.Transfer, _ change: (inout VideoFacts) -> Void = { _ in }
    ) -> SourceFacts {
        var facts = film(name)
        guard var video = facts.video else { return facts }
        video.pixelFormat = "yuv420p10le"
        video.bitsPerSample = 10
        if transfer != .sdr {
            video.color = ColorDescription(matrix: .bt2020, primaries: .bt2020, transfer: transfer, isFullRange: false)
        }
        change(&video)
        facts.video = video
        return facts
    }

    fileprivate static func captions(_ name: String) -> SourceFacts {
        SourceFacts(
            contentHash: hash(name), byteCount: 100, container: "srt", origin: .zero, video: nil, audio: nil,
            auxiliaryKind: .captions)
    }
}
