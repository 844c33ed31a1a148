import ContentHashing
import TestSupport
import Testing
import FoundationEssentials

/// A film with what workers need most files for: an animation, sounds of several tracks, and a plug-in.
@Suite(.serialized, .enabled(if: MotoServer.isInstalled, "no S3 server: scripts/install-test-tools installs moto"))
struct FarmMixedSourceTests {
    /// A square that moves from the left to the right in 30 frames.
    private static let animation = """
        {"v": "5", "fr": 25, "ip": 0, "op": 30, "w": 160, "h": 90, "layers": [{"ty": 4, "ip": 0, "op": 30, "st": 0, "ks":
          {"p": {"a": 1, "k": [{"t": 0, "s": [20, 40, 0], "e": [140, 40, 0], "i": {"x": 1, "y": 1}, "o": {"x": 0, "y": 0}},
          {"t": 30}]}, "s": {"k": [100, 100]}, "a": {"k": [0, 0]}, "r": {"k": 0}, "o": {"k": 100}},
          "shapes": [{"ty": "gr", "it": [{"ty": "rc", "p": {"k": [0, 0]}, "s": {"k": [40, 40]}, "r": {"k": 0}, "d": 1},
          {"ty": "fl", "c": {"k": [1, 0, 0, 1]}, "o": {"k": 100}},
          {"ty": "tr", "p": {"k": [0, 0]}, "s": {"k": [100, 100]}, "a": {"k": [0, 0]}, "r": {"k": 0}, "o": {"k": 100}}]}]}]}
        """

    @Test(
        "Workers with copies of a bucket make the local film of an animation with two sound tracks and a plug-in",
        .timeLimit(.minutes(10)))
    func sameBytes() async throws {
        let directory = try TemporaryDirectory()
        try Data(Self.animation.utf8).write(to: URL(fileURLWithPath: directory.file("square.json")))
        for (name, tone) in [("english", 900), ("german", 1500)] {
            try await FFmpegTool.ffmpeg([
                "-f", "lavfi", "-i", "sine=frequency=\(tone):sample_rate=44100:duration=12", directory.file("\(name).wav"),
            ])
        }
        let clips = (0..<8).map { #"{"type": "av", "url": "square.json"\#($0 % 2 == 0 ? "" : #", "reverse": true"#)}"# }
        let draft = """
            {"version": 1, "frameRate": 25, "videoSize": {"width": 160, "height": 90},
             "mainTrackClips": [\(clips.joined(separator: ", "))],
             "audioClips": [{"id": "english", "url": "english.wav", "audioFilters": [
                {"type": "ladspa", "file": "amp_1181", "plugin": "amp", "controls": {"Amps gain (dB)": -12}}]},
               {"id": "german", "url": "german.wav"}],
             "audioTracks": [{"language": "eng", "mix": ["english"]}, {"language": "deu", "mix": ["german"]}]}
            """
        let local = try await SpoolTool.export(draft, in: directory, name: "local.mp4")
        let path = directory.file("draft.json")
        try Data(draft.utf8).write(to: URL(fileURLWithPath: path))
        let bucket = try await MotoServer.shared().store()
        try await TestFarm.with(workers: 2, bucket: bucket) { farm in
            let ids = try await farm.submit([path], ["--set", "encoderSpeed=ultrafast"])
            try await farm.watch(ids)
            #expect(try await farm.film(ids[0]) == ContentHash.ofFile(local).hash)
        }
        // The plug-in is heard in its track alone: a sine of amplitude 1/8, 12 dB quieter.
        for (track, level) in [(0, -12.0), (1, 0.0)] {
            let peak = try await ShellTool.run(
                "ffmpeg -hide_banner -i '\(local)' -map 0:a:\(track) -af atrim=start=1:end=9,volumedetect -f null - 2>&1 "
                    + "| sed -n 's/.*max_volume: //p'"
            ).output
            let measured = try #require(Double(peak.prefix { $0 != " " }))
            #expect(abs(measured - (-18.06 + level)) < 0.7, "\(peak)")
        }
    }
}
