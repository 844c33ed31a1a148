import ExactTime
import ExportPlan
import Media
import SampleMedia
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// Written films as ffprobe reads them.
@Suite struct MovieWriterTests {
    static let rates = [
        Rational(24), Rational(25), Rational(30), Rational(30000, 1001), Rational(24000, 1001), Rational(25, 2), Rational(240),
    ]

    @Test(
        "Duration, start and the time of every frame are exact at every frame rate", arguments: rates,
        [FileType.mp4, .mov])
    func exactTimes(_ rate: Rational, _ type: FileType) async throws {
        let directory = try TemporaryDirectory()
        let frameRate = try #require(FrameRate(rate))
        let path = directory.file("film.\(type.rawValue)")
        try clip(frameRate, frames: 37, type).write(to: path)
        let report = try await FFprobeReport.of(path, ["-count_frames"])
        let video = try #require(report.video)
        #expect(video.exactDuration == frameRate.time(ofFrame: 37))
        #expect(video.startPts == 0)
        #expect(video.nbReadFrames == "37")
        #expect(Rational(text: video.rFrameRate ?? "") == rate)
        let witness = try await NumberedFrames(ofFile: path, size: FrameSize(width: 160, height: 96))
        #expect(witness.frames.map(\.number) == Array(0..<37))
        #expect(witness.frames.map(\.time) == (0..<37).map { frameRate.time(ofFrame: $0) })
        let audio = try #require(report.audio)
        #expect(audio.startPts == 0)
        #expect(audio.exactDuration == MediaTime(index: frameRate.time(ofFrame: 37).rounded(toRate: 44_100), rate: 44_100))
    }

    @Test("The duration of a film without sound is exact to a frame's own clock", arguments: [24, 30, 60], [FileType.mp4, .mov])
    func exactWithoutSound(_ rate: Int, _ type: FileType) async throws {
        let directory = try TemporaryDirectory()
        let frameRate = FrameRate(rate)
        let path = directory.file("film.\(type.rawValue)")
        var clip = clip(frameRate, frames: 37, type)
        clip.tone = nil
        try clip.write(to: path)
        let text = try #require(try await FFprobeReport.of(path).format.duration)
        let found = try #require(Double(text))
        #expect(abs(found - 37 / Double(rate)) < 2e-6, "\(text)")
    }

    @Test("The index precedes the media if the film is for network use, and else follows it", arguments: [true, false])
    func indexPlace(_ optimize: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.mp4")
        try write(to: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: optimize, metadata: [:]))
        let types = try MovieBoxes.types(of: path)
        let (index, media) = (try #require(types.firstIndex(of: "moov")), try #require(types.firstIndex(of: "mdat")))
        #expect((index < media) == optimize)
        #expect(types.first == "ftyp")
    }

    @Test("A film is tagged BT.709 limited range, with square pixels and 8-bit 4:2:0")
    func colorTags() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.mp4")
        try write(to: path, ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:]))
        let video = try #require(try await FFprobeReport.of(path).video)
        #expect(video.colorRange == "tv" && video.colorSpace == "bt709")
        #expect(video.colorPrimaries == "bt709" && video.colorTransfer == "bt709")
        #expect(video.pixFmt == "yuv420p" && video.codecName == "h264")
        #expect(video.sampleAspectRatio == "1:1")
    }

    @Test("A film has the metadata that was written", arguments: [FileType.mp4, .mov])
    func metadata(_ type: FileType) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.\(type.rawValue)")
        let tags = ["title": "Urlaub am Meer ☀", "shot": "12", "com.example.id": "a=b;c"]
        try write(to: path, ContainerSettings(fileType: type, optimizeForNetworkUse: true, metadata: tags))
        let found = try await FFprobeReport.of(path).format.tags ?? [:]
        for (key, value) in tags { #expect(found[key] == value, "\(key)") }
    }

    @Test("The same film has the same bytes each time, whatever was in memory before")
    func reproducible() throws {
        let directory = try TemporaryDirectory()
        let files = try (0..<6).map { run in
            leaveTraces(run)
            let path = directory.file("\(run).mp4")
            try clip(FrameRate(25), frames: 30, .mp4).write(to: path)
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(Set(files).count == 1)
    }

    /// Fills a lot of memory with one byte and frees it, so that an encoder that reads uninitialised memory finds that
    /// byte.
    private func leaveTraces(_ run: Int) {
        let blocks = (0..<4_000).map { index in
            let size = 64 << (index % 12)
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
            block.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: run * 41 + 7), count: size)
            return block
        }
        for block in blocks { block.deallocate() }
    }

    @Test("Segments begin with a keyframe and have one at least once per interval")
    func keyframes() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("film.mp4")
        try clip(FrameRate(25), frames: 40, .mp4, keyframeInterval: 12).write(to: path)
        let keyframes = try #require(try Probe.facts(ofFile: path).video?.keyframes)
        #expect(keyframes.first == .zero)
        let places = keyframes.map { ($0.seconds * Rational(25)).rounded } + [40]
        #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 <= 12 })
    }

    @Test("A path that cannot be written gives an error that names it")
    func unwritable() {
        let settings = ContainerSettings(fileType: .mp4, optimizeForNetworkUse: true, metadata: [:])
        let error = #expect(throws: MediaError.self) { try MovieWriter(path: "/nonexistent/film.mp4", settings) }
        #expect(error?.code == .cannotWrite)
        #expect(error?.subject == "/nonexistent/film.mp4")
    }

    private func clip(
        _ rate: FrameRate, frames: Int, _ type: FileType, keyframeInterval: Int = 48
    ) -> SampleClip {
        SampleClip(
            picture: NumberedPicture(blue: 120, red: 140), tone: TestTone(frequency: 440),
            size: FrameSize(width: 160, height: 96),
            frameRate: rate, frameCount: frames, keyframeInterval: keyframeInterval, fileType: type)
    }

    private func write(to path: String, _ settings: ContainerSettings) throws {
        let size = FrameSize(width: 64, height: 48)
        let encoder = try VideoEncoder(
            VideoEncodeSettings(codec: .h264, rate: .quality(constantRateFactor: 20), speed: "veryfast", maxKeyframeInterval: 25),
            size: size,
            frameRate: FrameRate(25))
        let writer = try MovieWriter(path: path, settings)
        try writer.add(encoder)
        for index in 0..<10 {
            try encoder.encode(try PlanarPicture.noise(size, seed: UInt64(index)).frame(), index: index, to: writer)
        }
        try encoder.finish(to: writer)
        try writer.finish()
    }
}
