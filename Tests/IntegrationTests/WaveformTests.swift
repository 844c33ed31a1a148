import Testing
import TestSupport
import FoundationEssentials
import Glibc

/// The peaks of a mix, compared with peaks that the test computes.
@Suite struct WaveformTests {
    private struct Points: Decodable {
        var version: Int
        var channels: Int
        var sampleRate: Int
        var samplesPerPixel: Int
        var bits: Int
        var length: Int
        var data: [Int]

        enum CodingKeys: String, CodingKey {
            case version, channels, bits, length, data
            case sampleRate = "sample_rate"
            case samplesPerPixel = "samples_per_pixel"
        }
    }

    @Test("Points are the lowest and highest sample of each interval, of a file and of a draft")
    func points() async throws {
        let directory = try TemporaryDirectory()
        let wave = Waveform.of(sampleRate: 44_100, channels: 2, count: 100_000) { time in
            0.6 * (time < 1 ? time : 0.2) * sin(2 * .pi * 330 * time) + 0.05
        }
        try await wave.write(to: directory.file("a.wav"))
        let picture = directory.file("a.png")
        let outcome = try await SpoolTool.run([
            "waveform", directory.file("a.wav"), "--json", "--samples-per-pixel", "1000", "-o", picture, "--size", "100x64",
            "--cache", directory.file("cache"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let points = try JSONDecoder().decode(Points.self, from: Data(outcome.output.utf8))
        #expect([points.version, points.channels, points.sampleRate, points.samplesPerPixel] == [2, 1, 44_100, 1000])
        #expect(points.length == 100 && points.data.count == 200 && points.bits == 16)
        for index in 0..<100 {
            let part = wave.samples[(index * 2000)..<(index * 2000 + 2000)]
            #expect(abs(points.data[2 * index] - Int(((part.min() ?? 0) * 32_768).rounded())) <= 1)
            #expect(abs(points.data[2 * index + 1] - Int(((part.max() ?? 0) * 32_768).rounded())) <= 1)
        }
        let pixels = try await RawVideo.decode(picture, pixelFormat: "rgba", bytesPerFrame: 100 * 64 * 4)[0]
        let heights = (0..<100).map { x in (0..<64).count { y in pixels[(y * 100 + x) * 4 + 3] > 0 } }
        #expect(heights[2] < 6 && heights[40] > 30 && heights[80] < 14, "\(heights)")
        let draft =
            #"{"version": 1, "videoSize": {"width": 16, "height": 16}, "mainTrackClips": [{"type": "av", "url": "a.wav", "volume": 0.5}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("d.json")))
        let half = try await SpoolTool.run([
            "waveform", directory.file("d.json"), "--json", "--samples-per-pixel", "1000", "--cache", directory.file("cache"),
        ])
        let halves = try JSONDecoder().decode(Points.self, from: Data(half.output.utf8)).data
        #expect(zip(halves, points.data).allSatisfy { abs($0 * 2 - $1) <= 2 })
    }
}
