import Testing
import TestSupport
import FoundationEssentials
import Glibc

/// Films that are normalised to a loudness and limited below a true peak, as ffmpeg's `ebur128` measures them.
@Suite struct MasteringTests {
    /// Writes a sound like speech with hard peaks, whose level is far too high or too low.
    private func source(_ directory: TemporaryDirectory, level: Double) async throws {
        var random = RandomNumbers(seed: 12)
        let hits = (0..<40).map { _ in Double.random(in: 0..<12, using: &random) }
        try await Waveform.of(sampleRate: 48_000, channels: 2, count: 12 * 48_000) { time in
            let tone = 0.3 * sin(2 * .pi * 220 * time) + 0.2 * sin(2 * .pi * 1_330 * time)
            let hit = hits.reduce(0.0) { time >= $1 && time < $1 + 0.02 ? $0 + exp(-(time - $1) * 200) : $0 }
            return level * (tone * (0.6 + 0.4 * sin(2 * .pi * 0.7 * time)) + 0.9 * hit * sin(2 * .pi * 3_000 * time))
        }.write(to: directory.file("sound.wav"))
    }

    private func measured(_ film: String) async throws -> (loudness: Double, truePeak: Double) {
        let result = try await ShellTool.run("ffmpeg -hide_banner -nostats -i '\(film)' -af ebur128=peak=true -f null -")
        let lines = result.errors.split(separator: "\n")
        func value(_ name: String) -> Double {
            let line = lines.last { $0.contains(name) } ?? ""
            return line.split(separator: " ").compactMap { Double($0) }.first ?? .nan
        }
        return (value("I:"), value("Peak:"))
    }

    @Test(
        "Loudness is within 0.3 LU of its target, and true peaks are below theirs",
        arguments: [(-16.0, 1.0, 2), (-23.0, 1.0, 2), (-14.0, 0.05, 2), (-20.0, 1.0, 1), (-23.0, 1.0, 6)])
    func loudness(_ target: Double, _ level: Double, _ channels: Int) async throws {
        let directory = try TemporaryDirectory()
        try await source(directory, level: level)
        let film = try await SpoolTool.export(
            """
            {"version": 1, "videoSize": {"width": 64, "height": 36}, "mainTrackClips": [{"type": "av", "url": "sound.wav"}],
             "audio": {"loudness": \(target), "truePeak": -1.5}}
            """, in: directory, ["--set", "channels=\(channels)"])
        let found = try await measured(film)
        print("\(channels) channels: loudness \(found.loudness) of \(target) LUFS, true peak \(found.truePeak) of -1.5 dBTP")
        #expect(abs(found.loudness - target) <= 0.3)
        #expect(found.truePeak <= -1.5 + 0.3)
    }

    @Test("The limiter alone holds true peaks within 0.3 dB of its ceiling, and leaves a quiet film unchanged")
    func limiter() async throws {
        let directory = try TemporaryDirectory()
        try await source(directory, level: 2)
        let draft = { (audio: String) in
            #"{"version": 1, "videoSize": {"width": 64, "height": 36}, "mainTrackClips": [{"type": "av", "url": "sound.wav", "volume": \#(audio)}"#
        }
        let loud = try await SpoolTool.export(draft("1") + #"], "audio": {"limiter": true}}"#, in: directory)
        let found = try await measured(loud)
        print("limiter: true peak \(found.truePeak) of -1 dBTP")
        #expect(abs(found.truePeak + 1) <= 0.3)
        let quiet = try await SpoolTool.export(draft("0.01") + #"], "audio": {"limiter": true}}"#, in: directory)
        let quietBytes = try Data(contentsOf: URL(fileURLWithPath: quiet))
        let plain = try await SpoolTool.export(draft("0.01") + "]}", in: directory)
        #expect(try Data(contentsOf: URL(fileURLWithPath: plain)) == quietBytes)
    }
}
