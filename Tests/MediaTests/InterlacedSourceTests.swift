import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Interlaced sources: what the probe says of them, and that their pictures are those of `ffmpeg -vf bwdif`.
@Suite struct InterlacedSourceTests {
    /// An interlaced clip of 640x360 with 25 frames a second, made of the fields of a moving picture with 50.
    enum Clip: String, CaseIterable {
        case mpeg2Top, mpeg2Bottom, h264Top, ffv1Bottom, huffyuvTop, progressive

        var isTopFirst: Bool { self != .mpeg2Bottom && self != .ffv1Bottom }

        private var coding: (name: String, options: [String]) {
            switch self {
            case .mpeg2Top: ("a.mpg", ["-c:v", "mpeg2video", "-q:v", "3", "-flags", "+ilme+ildct", "-g", "12", "-bf", "2"])
            case .mpeg2Bottom: ("a.ts", ["-c:v", "mpeg2video", "-q:v", "3", "-flags", "+ilme+ildct", "-g", "12", "-bf", "2"])
            case .h264Top:
                ("a.mp4", ["-c:v", "libx264", "-x264-params", "tff=1:keyint=20:bframes=2:open-gop=0", "-preset", "veryfast"])
            // These two have no marks, and the containers say nothing.
            case .ffv1Bottom: ("a.mkv", ["-c:v", "ffv1", "-g", "1", "-field_order", "0"])
            case .huffyuvTop: ("a.avi", ["-c:v", "huffyuv", "-pix_fmt", "yuv422p"])
            case .progressive: ("p.mp4", ["-c:v", "libx264", "-preset", "veryfast"])
            }
        }

        /// - Returns: the clip's path.
        func write(in directory: TemporaryDirectory, frames: Int = 60) async throws -> String {
            let path = directory.file(coding.name)
            let fields = isTopFirst ? "tinterlace=interleave_top" : "tinterlace=interleave_bottom"
            // Unmarked clips go through raw video, which loses the marks of the filter.
            let isMarked = self != .ffv1Bottom && self != .huffyuvTop
            let marks = isMarked ? ",setfield=\(isTopFirst ? "tff" : "bff")" : ",setfield=prog"
            let filter = self == .progressive ? "null" : fields + marks
            try await FFmpegTool.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=\(self == .progressive ? 25 : 50)", "-vf", filter]
                    + ["-frames:v", "\(frames)"] + coding.options + [path])
            return path
        }
    }

    @Test("The probe finds the order of the fields, in marks or in pictures", arguments: Clip.allCases)
    func probed(_ clip: Clip) async throws {
        let directory = try TemporaryDirectory()
        let video = try #require(try Probe.facts(ofFile: try await clip.write(in: directory)).video)
        switch clip {
        case .progressive: #expect(video.interlacing == nil)
        case .mpeg2Top, .h264Top: #expect(video.interlacing == Interlacing(order: .topFieldFirst, isMarked: true))
        case .mpeg2Bottom: #expect(video.interlacing == Interlacing(order: .bottomFieldFirst, isMarked: true))
        case .huffyuvTop: #expect(video.interlacing == Interlacing(order: .topFieldFirst, isMarked: false))
        case .ffv1Bottom: #expect(video.interlacing == Interlacing(order: .bottomFieldFirst, isMarked: false))
        }
    }

    @Test(
        "Every field and every frame is that of ffmpeg's bwdif, read on and reached by seeking",
        arguments: TestForm.part(1, of: [Clip.mpeg2Top, .mpeg2Bottom, .h264Top, .ffv1Bottom]), [true, false])
    func equalsBwdif(_ clip: Clip, _ showsFields: Bool) async throws {
        let directory = try TemporaryDirectory()
        let path = try await clip.write(in: directory)
        let facts = try Probe.facts(ofFile: path)
        let fields = try #require(facts.video?.interlacing?.fields)
        let expected = try await witness(path, fields, showsFields, in: directory)
        #expect(expected.count == (showsFields ? 120 : 60))
        let source = SourceReference(facts: facts, path: path)
        let step = Rational(1, showsFields ? 50 : 25)
        func picture(_ index: Int, _ reader: FrameReader, reversed: Bool = false) throws -> PlanarPicture {
            // Played backwards, a picture is shown before its own time.
            let time = MediaTime(Rational(index) * step + (reversed ? step / Rational(2) : .zero))
            return PlanarPicture(try reader.frame(at: time, reversed: reversed))
        }
        let reading = try FrameReader(source, fields: fields, showsFields: showsFields)
        for index in expected.indices {
            #expect(try picture(index, reading) == expected[index], "picture \(index), read on")
        }
        var random = RandomNumbers(seed: 5)
        let jumping = try FrameReader(source, fields: fields, showsFields: showsFields)
        for index in expected.indices.shuffled(using: &random).prefix(40) {
            #expect(try picture(index, jumping) == expected[index], "picture \(index), after a seek")
        }
        for index in [0, 12, 20, 24, 40, expected.count - 1] {
            let fresh = try FrameReader(source, fields: fields, showsFields: showsFields)
            #expect(try picture(index, fresh) == expected[index], "picture \(index), alone")
        }
        let backwards = try FrameReader(source, fields: fields, showsFields: showsFields)
        for index in expected.indices.reversed() {
            #expect(try picture(index, backwards, reversed: true) == expected[index], "picture \(index), backwards")
        }
    }

    @Test(
        "Real interlaced television is within one code value of ffmpeg's bwdif on every field",
        .enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence)))
    func television() async throws {
        let path = SharedMedia.file("av/pal_interlaced_mpeg2_bff_14s.ts")
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(video.interlacing == Interlacing(order: .bottomFieldFirst, isMarked: true))
        let directory = try TemporaryDirectory()
        let expected = try await witness(path, .marked, true, in: directory)
        let reader = try FrameReader(SourceReference(facts: facts, path: path), fields: .marked, showsFields: true)
        // Its sound begins earlier, so that the order of the pictures is compared and not their times.
        var shown: [PlanarPicture] = []
        var last: VideoFrame?
        for step in 0..<(video.duration * Rational(200)).seconds.ceil {
            let frame = try reader.frame(at: MediaTime(Rational(step) / Rational(200)))
            if frame !== last { shown.append(PlanarPicture(frame)) }
            last = frame
        }
        // The last frame of the file has the time of the one before it. It is not shown, and ffmpeg makes two more pictures
        // of it, and two from it and the one before it.
        #expect(shown.count == 704 && expected.count == 706)
        var worst = 0
        for (picture, wanted) in zip(shown.dropLast(2), expected) {
            worst = max(worst, zip(picture.planes.joined(), wanted.planes.joined()).map { abs(Int($0) - Int($1)) }.max() ?? 0)
        }
        #expect(worst <= 1, "the pictures differ by up to \(worst)")
    }

    /// The pictures of `ffmpeg -vf bwdif`.
    private func witness(
        _ path: String, _ fields: SourceFields, _ showsFields: Bool, in directory: TemporaryDirectory
    ) async throws -> [PlanarPicture] {
        let parity =
            switch fields {
            case .marked: "auto"
            case .topFieldFirst: "tff"
            case .bottomFieldFirst: "bff"
            }
        let raw = directory.file("witness.yuv")
        try await FFmpegTool.ffmpeg(
            [
                "-flags", "bitexact", "-i", path, "-an", "-vf",
                "bwdif=mode=\(showsFields ? "send_field" : "send_frame"):parity=\(parity)", "-fps_mode", "passthrough",
                "-pix_fmt", "yuv420p", "-f", "rawvideo", raw,
            ])
        let video = try #require(try Probe.facts(ofFile: path).video)
        let count = video.size.width * video.size.height * 3 / 2
        let bytes = [UInt8](try #require(FileManager.default.contents(atPath: raw)))
        return stride(from: 0, to: bytes.count - count + 1, by: count).map {
            PlanarPicture(size: video.size, bytes: Array(bytes[$0..<$0 + count]))
        }
    }
}
