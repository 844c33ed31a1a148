import ExactTime
import ExportPlan
import Media
import Soundtrack
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials
import Glibc

/// Audio filters, compared with the `ffmpeg` command line over the whole sound.
@Suite("Audio filters")
struct AudioFilterTests {
    /// A filter, and what `ffmpeg` is asked for.
    struct Case: CustomTestStringConvertible, Sendable {
        var filter: SoundFilter
        var ffmpeg: String
        /// The samples by which `ffmpeg` delays the sound, at 44 100 Hz.
        var delay = 0

        var testDescription: String { filter.kind.rawValue }
    }

    static let cases = [
        Case(
            filter: .with(.highpass, ["frequency": 300]), ffmpeg: "highpass=frequency=300:width_type=q:width=0.707:poles=2"),
        Case(
            filter: .with(.lowpass, ["frequency": 3000, "width": 1.5, "poles": 1]),
            ffmpeg: "lowpass=frequency=3000:width_type=q:width=1.5:poles=1"),
        Case(
            filter: .with(
                .equalizer, parts: [["frequency": 200, "width": 2, "gain": 9], ["frequency": 5000, "width": 0.7, "gain": -12]]),
            ffmpeg: "equalizer=frequency=200:width_type=q:width=2:gain=9,equalizer=frequency=5000:width_type=q:width=0.7:gain=-12"
        ),
        Case(
            filter: .with(.compressor, ["threshold": 0.05, "ratio": 6, "attack": 5, "release": 80, "makeup": 2]),
            ffmpeg: "acompressor=threshold=0.05:ratio=6:attack=5:release=80:makeup=2"),
        Case(filter: .with(.gate, ["threshold": 0.2, "ratio": 3]), ffmpeg: "agate=threshold=0.2:ratio=3"),
        Case(
            filter: .with(.denoise, ["noiseReduction": 20, "noiseFloor": -40]),
            ffmpeg: "afftdn=noise_reduction=20:noise_floor=-40",
            delay: 1102),
        Case(filter: .with(.deesser, ["intensity": 0.8]), ffmpeg: "deesser=i=0.8"),
        Case(
            filter: .with(.echo, parts: [["delay": 60, "decay": 0.6], ["delay": 433, "decay": 0.3]]),
            ffmpeg: "aecho=in_gain=0.6:out_gain=0.3:delays=60|433:decays=0.6|0.3"),
    ]

    @Test("Each filter gives the samples of ffmpeg's, from the sound's start and from the middle of it", arguments: cases)
    func equalsFFmpeg(_ filtered: Case) async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.varied(sampleRate: 44_100, channels: 2, seconds: 5)
        try await wave.write(to: directory.file("a.wav"))
        let source = try reference(directory.file("a.wav"))
        let (first, count) = (20_000, 150_000)
        var wanted = try await ffmpeg(
            ["-i", source.path],
            "atrim=start_sample=\(first):end_sample=\(first + count),asetpts=N/SR/TB,"
                // The samples behind the end, with which a delayed sound comes out.
                + "apad=pad_len=\(filtered.delay + 8192),\(filtered.ffmpeg)", in: directory)
        wanted = Array(wanted.dropFirst(2 * filtered.delay).prefix(2 * count))
        var input = AudioSliceInput.playing("a", count: count, from: first)
        input.filters = [filtered.filter]
        let heard = try mixed(.of(input), ["a": source])
        #expect(largestDifference(heard, wanted) < amplitude(decibels: -90))
        // The sound is really changed.
        input.filters = nil
        #expect(largestDifference(heard, try mixed(.of(input), ["a": source])) > amplitude(decibels: -40))
        // A film that begins inside of the sound has the filters run from the sound's own start.
        var early = input
        early.filters = [filtered.filter]
        early.firstSample = -33_333
        let later = try mixed(
            AudioSlice(sampleRate: 44_100, channels: 2, sampleCount: 50_000, inputs: [early]), ["a": source])
        #expect(later == Array(heard[(2 * 33_333)..<(2 * 83_333)]))
    }

    @Test("A reverb is the convolution with its impulse response, as ffmpeg's afir makes it")
    func reverb() async throws {
        let directory = try TemporaryDirectory()
        try await Waveform.varied(sampleRate: 44_100, channels: 2, seconds: 3).write(to: directory.file("a.wav"))
        let room = Waveform.of(sampleRate: 44_100, channels: 2, count: 20_000) { time in
            exp(-8 * time) * sin(12_345 * time * time + 3000 * time)
        }
        try await room.write(to: directory.file("room.wav"))
        let (source, impulse) = (try reference(directory.file("a.wav")), try reference(directory.file("room.wav")))
        let wanted = try await ffmpeg(
            ["-i", source.path, "-i", impulse.path], "[0][1]afir=dry=0.5:wet=2", isComplex: true, in: directory)
        var input = AudioSliceInput.playing("a", count: 100_000)
        input.filters = [
            .with(.highpass, ["frequency": 1]), .with(.reverb, ["dry": 0.5, "wet": 2], impulse: "room"),
        ]
        // A highpass at 1 Hz in front shows that filters before a reverb are joined with it; it changes little.
        let joined = try mixed(.of(input), ["a": source, "room": impulse])
        input.filters = [.with(.reverb, ["dry": 0.5, "wet": 2], impulse: "room")]
        let heard = try mixed(.of(input), ["a": source, "room": impulse])
        #expect(largestDifference(heard, wanted.prefix(200_000)) < amplitude(decibels: -90))
        #expect(largestDifference(joined, heard) < amplitude(decibels: -20))
    }

    @Test("Gains that add up beyond all numbers are an error of the draft, and not a damaged film")
    func tooLoud() async throws {
        let directory = try TemporaryDirectory()
        try await Waveform.varied(sampleRate: 44_100, channels: 2, seconds: 1).write(to: directory.file("a.wav"))
        let source = try reference(directory.file("a.wav"))
        var input = AudioSliceInput.playing("a", count: 44_100)
        let bands = [[String: Double]](repeating: ["frequency": 900, "width": 0.3, "gain": 60], count: 64)
        input.filters = [.with(.equalizer, parts: bands)]
        let error = #expect(throws: MediaError.self) { try mixed(.of(input), ["a": source]) }
        #expect(error?.failureClass == .input && error?.message.contains("lower their gains") == true)
    }

    @Test("Filters work at other rates and with one and six channels", arguments: [(48_000, 1), (22_050, 2), (48_000, 6)])
    func formats(_ rate: Int, _ channels: Int) async throws {
        let directory = try TemporaryDirectory()
        try await Waveform.varied(sampleRate: rate, channels: channels, seconds: 2).write(to: directory.file("a.wav"))
        let source = try reference(directory.file("a.wav"))
        for kind in AudioFilterKind.allCases where !kind.isPlugin {
            var input = AudioSliceInput.playing("a", count: rate)
            let parts =
                kind == .echo
                ? [["delay": 50, "decay": 0.5]] : kind.parts.map { _ in [["frequency": 800, "width": 1, "gain": 6]] }
            input.filters = [
                .with(
                    kind, kind == .highpass || kind == .lowpass ? ["frequency": 900] : [:], parts: parts,
                    impulse: kind.needsSource ? "a" : nil)
            ]
            let heard = try mixed(.of(input, sampleRate: rate, channels: channels), ["a": source])
            #expect(heard.count == rate * channels)
            #expect((heard.map(abs).max() ?? 0) > 0.01, "\(kind)")
        }
    }

    private func ffmpeg(
        _ inputs: [String], _ filter: String, isComplex: Bool = false, in directory: TemporaryDirectory
    ) async throws -> [Double] {
        let raw = directory.file("filtered.f32")
        try await FFmpegTool.ffmpeg(inputs + [isComplex ? "-filter_complex" : "-af", filter, "-f", "f32le", raw])
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        return data.withUnsafeBytes { bytes in bytes.bindMemory(to: Float.self).map(Double.init) }
    }
}

extension SoundFilter {
    /// A filter with these parameters, and the standard values of the others.
    fileprivate static func with(
        _ kind: AudioFilterKind, _ parameters: [String: Double] = [:], parts: [[String: Double]]? = nil, impulse: String? = nil
    ) -> SoundFilter {
        let values = kind.parameters.map { ($0.name, parameters[$0.name] ?? $0.standard ?? 0) }
        return SoundFilter(
            kind: kind, parameters: Dictionary(uniqueKeysWithValues: values), parts: parts, impulse: impulse)
    }
}
