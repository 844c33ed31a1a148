import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Media
import Soundtrack
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials
import Glibc

/// The sound of groups, from the draft to the samples, compared with the `ffmpeg` command line over the whole film.
@Suite("The sound of groups")
struct SoundGroupTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        for (name, shift) in [("a", 0.0), ("b", 0.7)] {
            let wave = Waveform.of(sampleRate: 44_100, channels: 2, count: 12 * 44_100) { time in
                0.3 * sin(2 * .pi * (220 + 400 * shift + 150 * sin(time)) * time) * (0.6 + 0.4 * sin(5 * time + shift))
            }
            try await wave.write(to: directory.file("\(name).wav"))
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "color=size=16x16:rate=25:duration=12", "-i", directory.file("\(name).wav"), "-c:v", "ffv1",
                "-c:a", "pcm_f32le", directory.file("\(name).mkv"),
            ])
        }
    }

    /// The samples of the whole film, segment after segment.
    /// - Parameters:
    ///   - clips: the lengths of the clips of the main track, which are silent. Segments are cut between them.
    ///   - window: the part of the film that is made.
    private func film(
        _ layers: String, clips: [Int], window: String? = nil, channels: Int = 2
    ) throws -> (samples: [Double], segments: Int) {
        let track = clips.map { ##"{"type": "color", "color": "#000000", "duration": \##($0)}"## }.joined(separator: ", ")
        let json = #"""
            {"version": 1, "videoSize": {"width": 16, "height": 16}, "frameRate": 25, "mainTrackClips": [\#(track)],
             "layers": [\#(layers)]\#(window.map { #", "timeRange": \#($0)"# } ?? "")}
            """#
        let (draft, faults) = Draft.read(Data(json.utf8))
        #expect(faults.isEmpty, "\(faults)")
        var settings = ExportSettings()
        settings.fileType = .wav
        settings.channels = channels
        let sources = try ["a", "b"].map { try reference(directory.file("\($0).mkv")) }
        let facts = ["a.mkv": sources[0].facts, "b.mkv": sources[1].facts]
        let compiled = try Compiler(settings: settings, facts: facts).compile(try #require(draft))
        #expect(compiled.warnings.isEmpty, "\(compiled.warnings)")
        let byHash = [facts["a.mkv"]?.contentHash ?? "": sources[0], facts["b.mkv"]?.contentHash ?? "": sources[1]]
        let segments = compiled.plan.audioSegments
        return (try segments.flatMap { try mixed($0.slice, byHash) }, segments.count)
    }

    /// The samples that ffmpeg makes of both sounds. The inputs are `[0:a]` and `[1:a]`; the result is `[out]`.
    private func ffmpeg(_ graph: String) async throws -> [Double] {
        let raw = directory.file("filtered.f32")
        try await FFmpegTool.ffmpeg([
            "-i", directory.file("a.wav"), "-i", directory.file("b.wav"), "-filter_complex", graph, "-map", "[out]", "-f",
            "f32le",
            raw,
        ])
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        return data.withUnsafeBytes { bytes in bytes.bindMemory(to: Float.self).map(Double.init) }
    }

    private static func video(_ name: String, at start: Double, _ length: Double, from: Double, _ more: String = "") -> String {
        #"{"timeRange": {"start": \#(start), "duration": \#(length)}, "source": {"type": "video", "url": "\#(name).mkv", "timeRange": {"start": \#(from), "duration": \#(length)}}\#(more)}"#
    }

    private static func group(_ layers: [String], at start: Double, _ length: Double, _ more: String) -> String {
        #"{"timeRange": {"start": \#(start), "duration": \#(length)}, "source": {"type": "group", "layers": [\#(layers.joined(separator: ", "))]}\#(more)}"#
    }

    /// Two sounds that overlap in a group from 3 s to 14 s of a film of 25 s.
    private static func filtered(_ more: String) -> String {
        group(
            [video("a", at: 0.5, 6, from: 1), video("b", at: 3, 5, from: 2)], at: 3, 11,
            #", "audioFilters": [{"type": "compressor", "threshold": 0.05, "ratio": 6, "attack": 5, "release": 80}, {"type": "echo", "echoes": [{"delay": 433, "decay": 0.5}]}]\#(more)"#
        )
    }

    private static let sum =
        "[0:a]atrim=1:7,asetpts=N/SR/TB,adelay=500:all=1,apad=whole_dur=11[a];[1:a]atrim=2:7,asetpts=N/SR/TB,adelay=3000:all=1,apad=whole_dur=11[b];"
        + "[a][b]amix=inputs=2:normalize=0"
    private static let filters =
        "acompressor=threshold=0.05:ratio=6:attack=5:release=80,aecho=in_gain=0.6:out_gain=0.3:delays=433:decays=0.5,atrim=end=11"

    @Test("Filters of a group act on the sum of its sounds, as in ffmpeg, wherever segments are cut and a film begins")
    func filters() async throws {
        let wanted = try await ffmpeg(
            "\(Self.sum),\(Self.filters),volume=0.5,adelay=3000:all=1,apad=whole_dur=25[out]")
        let layers = Self.filtered(#", "audio": {"volume": 0.5}"#)
        let (whole, count) = try film(layers, clips: [25])
        #expect(whole.count == 25 * 2 * 44_100 && wanted.count == whole.count)
        #expect(largestDifference(whole, wanted[...]) < amplitude(decibels: -90))
        // The echo rings on while nothing else is heard, and ends with the group.
        #expect(whole[(2 * Int(11.1 * 44_100))..<(2 * Int(11.3 * 44_100))].contains { abs($0) > 0.003 })
        #expect(whole[(2 * 14 * 44_100)...].allSatisfy { $0 == 0 })
        // The same samples where clips begin in the group, and in a film that begins or ends in it.
        let (cut, more) = try film(layers, clips: [1, 1, 2, 3, 4, 1, 1, 1, 3, 3, 5])
        #expect(cut == whole && more > count)
        for (start, length) in [(5, 4), (12, 10), (13, 1)] {
            let window = #"{"start": \#(start), "duration": \#(length)}"#
            let (part, _) = try film(layers, clips: [3, 22], window: window)
            #expect(part == Array(whole[(2 * start * 44_100)..<(2 * (start + length) * 44_100)]))
        }
    }

    @Test("Filters of groups in groups run from the inside out, and volumes, ramps and pans come after them")
    func nested() async throws {
        let inner = Self.group(
            [Self.video("b", at: 1, 5, from: 2, #", "audio": {"volume": 0.8}"#)], at: 2, 7,
            #", "audioFilters": [{"type": "echo", "echoes": [{"delay": 300, "decay": 0.6}]}], "audio": {"volumeRamps": [{"timeRange": {"start": 1, "duration": 3}, "startVolume": 0.2, "endVolume": 1.5}]}"#
        )
        let layers = Self.group(
            [Self.video("a", at: 0.5, 6, from: 1), inner], at: 3, 11,
            #", "audioFilters": [{"type": "gate", "threshold": 0.1}], "audio": {"pan": -0.5}"#)
        let ramp = "volume=eval=frame:volume='if(lt(t,1),1,if(lt(t,4),0.2+1.3*(t-1)/3,1.5))'"
        let left = cos(0.5 * .pi / 2)
        let right = sin(0.5 * .pi / 2)
        let wanted = try await ffmpeg(
            "[0:a]atrim=1:7,asetpts=N/SR/TB,adelay=500:all=1,apad=whole_dur=11[a];"
                + "[1:a]atrim=2:7,asetpts=N/SR/TB,volume=0.8,adelay=1000:all=1,apad=whole_dur=7,aecho=in_gain=0.6:out_gain=0.3:delays=300:decays=0.6,"
                + "atrim=end=7,asetnsamples=n=1,\(ramp),asetnsamples=n=1024:p=0,adelay=2000:all=1,apad=whole_dur=11[b];"
                + "[a][b]amix=inputs=2:normalize=0,agate=threshold=0.1,pan=stereo|c0=c0+\(left)*c1|c1=\(right)*c1,"
                + "adelay=3000:all=1,apad=whole_dur=25[out]")
        let (whole, _) = try film(layers, clips: [25])
        #expect(largestDifference(whole, wanted.prefix(whole.count)) < amplitude(decibels: -90))
        #expect(try film(layers, clips: [4, 1, 1, 3, 2, 14]).samples == whole)
    }

    @Test("A group without filters is cut where the film is, and its moving volume and pan go on across the cuts")
    func divisible() async throws {
        let more = #"""
            , "audio": {"volumeRamps": [{"timeRange": {"start": 2, "duration": 3}, "startVolume": 1, "endVolume": 0.25}]}, "animations": [
              {"keyPath": "audio.pan", "keyTimes": [0, 9], "values": [-1, 1]}, {"keyPath": "audio.volume", "keyTimes": [1, 8], "values": [0.2, 1.4]}]
            """#
        let layers = Self.group([Self.video("a", at: 0.5, 6, from: 1), Self.video("b", at: 3, 5, from: 2)], at: 3, 11, more)
        let whole = try film(layers, clips: [25]).samples
        #expect(whole.contains { abs($0) > 0.1 })
        // The segments begin in the ramp, while the pan moves, and near the end of the group.
        for (clips, count) in [([6, 21], 3), ([7, 21], 3), ([11, 14], 2), ([13, 12], 2)] {
            let cut = try film(layers, clips: clips)
            #expect(cut.samples.prefix(whole.count) == whole[...] && cut.segments == count, "\(clips)")
        }
        // The same sounds with the same volumes and pans of their own, in a group that changes nothing.
        let single = Self.group([Self.video("a", at: 0, 11, from: 1)], at: 3, 11, more)
        let own = Self.group([Self.video("a", at: 0, 11, from: 1, more)], at: 3, 11, "")
        #expect(largestDifference(try film(single, clips: [25]).samples, try film(own, clips: [25]).samples[...]) < 1e-6)
    }

    @Test("A muted group, and one with the volume 0, are silent with everything in them")
    func silent() throws {
        for more in [#", "audio": {"muted": true}"#, #", "audio": {"volume": 0}"#] {
            let layers = Self.group([Self.group([Self.video("a", at: 0, 5, from: 0)], at: 0, 5, "")], at: 0, 5, more)
            #expect(try film(layers, clips: [5]).samples.allSatisfy { $0 == 0 })
        }
    }

    @Test("An explanation has the sounds of a group below it")
    func explained() throws {
        let source = try reference(directory.file("a.mkv"))
        let hash = source.facts.contentHash
        let group = AudioSliceGroup(
            firstSample: 0, sampleCount: 900, gains: [.constant(0.5)], pan: .constant(0.5),
            filters: [SoundFilter(kind: .highpass, parameters: ["frequency": 90, "width": 0.707, "poles": 2])],
            inputs: [.playing(hash, count: 900)])
        let slice = AudioSlice(sampleRate: 44_100, channels: 2, sampleCount: 900, inputs: [], groups: [group])
        #expect(slice.sources == [hash])
        let found = try SegmentMixer(slice, sources: [hash: source]).explanation()
        #expect(found.parts.map(\.subject) == [.soundGroup(firstSample: 0, sampleCount: 900)])
        #expect(found.parts.first?.decisions == [.filter(.highpass), .pan(.constant(0.5)), .gain(.constant(0.5))])
        #expect(found.parts.first?.parts.map(\.subject) == [.sound(source: hash, firstSample: 0, sampleCount: 900)])
    }

    @Test("Filters that libavfilter refuses are an error, and not a crash")
    func refused() {
        #expect(throws: MediaError.self) {
            try SoundFilterChain([SoundFilter(kind: .gate, parameters: [:])], sampleRate: 44_100, channels: 2)
        }
    }
}
