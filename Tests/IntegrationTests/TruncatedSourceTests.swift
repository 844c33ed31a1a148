import TestSupport
import Testing
import FoundationEssentials

/// Files that were cut off, as by an interrupted copy, and files with damaged packets that are not decoded. An export
/// continues, as players do, and reports what is missing: for every kind of container, and in the same way in every
/// run.
@Suite struct TruncatedSourceTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String]
        /// Whether a warning about missing pictures is expected, because the container gives their length.
        var missesPictures = true
        var missesSound = true
        var testDescription: String { name }
        var isSound: Bool { options.contains("-vn") }
        var place: String { isSound ? "audioClips[0].url" : "mainTrackClips[0].url" }
    }

    private static let vorbis = ["-c:a", "libvorbis"]
    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25"]

    static let kinds = [
        Kind(name: "vp8.webm", options: ["-c:v", "libvpx", "-deadline", "realtime", "-g", "25"] + vorbis),
        Kind(name: "vp9.webm", options: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-g", "25", "-c:a", "libopus"]),
        Kind(name: "h264.mkv", options: h264 + ["-c:a", "aac"]),
        // A fragment's sample table precedes its samples.
        Kind(name: "fragments.mp4", options: h264 + ["-c:a", "aac", "-movflags", "empty_moov", "-frag_duration", "3000000"]),
        Kind(name: "mjpeg.avi", options: ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], missesSound: false),
        Kind(name: "pcm.wav", options: ["-vn", "-c:a", "pcm_s24le"], missesPictures: false),
        Kind(name: "xing.mp3", options: ["-vn", "-c:a", "libmp3lame", "-q:a", "4"], missesPictures: false),
        Kind(name: "aac.m4a", options: ["-vn", "-c:a", "aac", "-movflags", "faststart"], missesPictures: false),
        Kind(name: "total.flac", options: ["-vn", "-c:a", "flac"], missesPictures: false),
        // These containers do not give a length, so that nothing is known to be missing.
        Kind(name: "h264.ts", options: h264 + ["-c:a", "aac"], missesPictures: false, missesSound: false),
        Kind(name: "adts.aac", options: ["-vn", "-c:a", "aac"], missesPictures: false, missesSound: false),
    ]

    private static func write(_ kind: Kind, in directory: TemporaryDirectory) async throws -> String {
        let path = directory.file(kind.name)
        try await FFmpegTool.ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=6", "-f", "lavfi", "-i", "anoisesrc=d=6:r=48000:a=0.1:seed=1",
                "-ac", "1",
            ] + kind.options + [path])
        return path
    }

    private static func cut(_ path: String, to share: Double) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(fileURLWithPath: path))
    }

    private static func packets(_ path: String, _ stream: String) async throws -> Int {
        let printed = try await FFmpegTool.ffprobe([
            "-count_packets", "-select_streams", stream, "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", path,
        ])
        return printed.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }

    private struct Result: Decodable {
        struct Warning: Decodable, Equatable {
            var path: String
            var code: String
            var message: String
        }
        var warnings: [Warning]
    }

    /// - Parameter range: the time range of the source as JSON; nil for the whole source.
    private func exported(
        _ kind: Kind, _ range: String? = nil, in directory: TemporaryDirectory, run: Int = 0
    ) async throws -> [Result.Warning] {
        let draft = directory.file("draft.json")
        let field = range.map { ", \"timeRange\": \($0)" } ?? ""
        let text =
            kind.isSound
            ? ##"{"version": 1, "videoSize": {"width": 160, "height": 90}, "layers": [{"timeRange": {"start": 0, "duration": 6}, "source": {"type": "solid", "color": "#204060"}}], "##
                + ##""audioClips": [{"url": "\##(kind.name)"\##(field)}]}"##
            : ##"{"version": 1, "mainTrackClips": [{"type": "av", "url": "\##(kind.name)"\##(field)}]}"##
        try Data(text.utf8).write(to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run([
            "export", draft, "-o", directory.file("film-\(run).mp4"), "--json", "--cache", directory.file("cache-\(run)"),
        ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Result.self, from: Data(outcome.output.utf8)).warnings
    }

    @Test("Media that the container promises and the file lacks are a warning with place and amount", arguments: kinds)
    func cutFile(_ kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let path = try await TruncatedSourceTests.write(kind, in: directory)
        let whole = try await TruncatedSourceTests.packets(path, "v")
        #expect(try await exported(kind, in: directory) == [], "the whole file")
        try TruncatedSourceTests.cut(path, to: 0.6)
        let left = try await TruncatedSourceTests.packets(path, "v")
        let warnings = try await exported(kind, in: directory, run: 1)
        let missing = warnings.filter { $0.message.contains("is cut short") }
        print("\(kind): \(warnings.map(\.message))")
        #expect(missing.allSatisfy { $0.path == kind.place && $0.code == "damagedSource" })
        let pictures = missing.filter { $0.message.contains("pictures end at") }
        let sound = missing.filter { $0.message.contains("sound ends at") }
        #expect(pictures.count == (kind.missesPictures ? 1 : 0) && sound.count == (kind.missesSound ? 1 : 0))
        if kind.missesPictures {
            #expect(pictures.first?.message.contains("\(whole - left) pictures missing") == true, "\(whole) \(left)")
            #expect(pictures.first?.message.contains(" of 6") == true)
        }
        #expect(try await exported(kind, in: directory, run: 2) == warnings, "another run")
        // An export that uses only the existing media reports nothing missing.
        let early = try await exported(kind, #"{"start": 0.5, "duration": 1}"#, in: directory, run: 3)
        #expect(!early.contains { $0.message.contains("is cut short") }, "\(early)")
    }

    @Test("A file with its index first and its samples cut off is refused with the number of frames that exist")
    func movie() async throws {
        let directory = try TemporaryDirectory()
        let kind = Kind(name: "index.mp4", options: TruncatedSourceTests.h264 + ["-c:a", "aac", "-movflags", "faststart"])
        let path = try await TruncatedSourceTests.write(kind, in: directory)
        try TruncatedSourceTests.cut(path, to: 0.6)
        let draft = directory.file("draft.json")
        try Data(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "index.mp4"}]}"#.utf8).write(
            to: URL(fileURLWithPath: draft))
        let outcome = try await SpoolTool.run([
            "export", draft, "-o", directory.file("film.mp4"), "--cache", directory.file("cache"),
        ])
        #expect(outcome.status != 0 && outcome.errors.contains("declares 150 frames"), "\(outcome.errors)")
    }

    @Test("Packets that the container marks as damaged are reported even if copied", arguments: [false, true])
    func copiedDamage(_ isSpliced: Bool) async throws {
        let directory = try TemporaryDirectory()
        let kind = Kind(
            name: "s.ts", options: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "0", "-c:a", "aac"])
        let path = try await TruncatedSourceTests.write(kind, in: directory)
        func export(_ run: Int) async throws -> [Result.Warning] {
            let draft = directory.file("draft.json")
            let start = isSpliced ? 0.2 : 0
            let second = isSpliced ? #", {"type": "av", "url": "s.ts", "timeRange": {"start": 0, "duration": 1}}"# : ""
            try Data(
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "s.ts", "timeRange": {"start": \#(start), "duration": 5}}\#(second)]}"#
                    .utf8
            ).write(to: URL(fileURLWithPath: draft))
            let outcome = try await SpoolTool.run([
                "export", draft, "-o", directory.file("film-\(run).mp4"), "--preset", "passthrough", "--json", "--cache",
                directory.file("cache-\(run)"),
            ])
            try #require(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("copied"))
            return try JSONDecoder().decode(Result.self, from: Data(outcome.output.utf8)).warnings
        }
        #expect(try await export(0) == [])
        // Set the transport stream's mark for a packet received with errors (ISO/IEC 13818-1,
        // transport_error_indicator) in the middle.
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let packets = stride(from: 0, to: bytes.count, by: 188).filter { (place: Int) -> Bool in
            // A packet of the video stream (PID 0x100) that does not start a picture.
            bytes[place + 1] & 0x5F == 1 && bytes[place + 2] == 0
        }
        bytes[packets[packets.count / 2] + 1] |= 0x80
        try bytes.write(to: URL(fileURLWithPath: path))
        let warnings = try await export(1)
        print("copied: \(warnings.map(\.message))")
        let told = warnings.filter { $0.message.contains("marked as damaged by the container") }
        #expect(told.count == 1 && told.first?.path == "mainTrackClips[0].url" && told.first?.code == "damagedSource")
        #expect(try await export(2) == warnings)
    }
}
