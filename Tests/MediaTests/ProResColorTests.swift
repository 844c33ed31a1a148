import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// The colour tags of a ProRes film in the file and in every frame, compared with those of FFmpeg's own encoder.
@Suite struct ProResColorTests {
    @Test(
        "A ProRes film is tagged BT.709 in its colr atom and in every frame header, also when stitched"
    )
    func tags() async throws {
        let directory = try TemporaryDirectory()
        let (segment, film, witness) = (directory.file("segment.mov"), directory.file("film.mov"), directory.file("witness.mov"))
        try write(to: segment)
        try join(segment, to: film)
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "color=gray:s=64x48:r=25:d=0.2", "-vf",
            "format=yuv422p10,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709:range=tv", "-c:v", "prores_ks",
            "-profile:v", "standard", witness,
        ])
        for path in [witness, segment, film] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            // QuickTime File Format, "Video Sample Description Extensions": primaries, transfer and matrix, 16 bits
            // each.
            let atom = try #require(places(of: "colrnclc", in: bytes).first, "\(path) has no colr atom")
            #expect(Array(bytes[atom + 8..<atom + 14]) == [0, 1, 0, 1, 0, 1])
            // SMPTE RDD 36, section 5.1.1: the same three values, 14 bytes after the frame's marker and the size of its
            // header.
            let frames = places(of: "icpf", in: bytes)
            #expect(frames.count == 5)
            for frame in frames { #expect(Array(bytes[frame + 18..<frame + 21]) == [1, 1, 1]) }
            let video = try #require(try await FFprobeReport.of(path).video)
            #expect(video.colorRange == "tv" && video.colorSpace == "bt709")
            #expect(video.colorPrimaries == "bt709" && video.colorTransfer == "bt709")
        }
    }

    private func write(to path: String) throws {
        let size = FrameSize(width: 64, height: 48)
        let encoder = try VideoEncoder(
            VideoEncodeSettings(codec: .prores, rate: .fixed, speed: "veryfast", maxKeyframeInterval: 1), size: size,
            frameRate: FrameRate(25))
        let writer = try MovieWriter(path: path, ContainerSettings(fileType: .mov, optimizeForNetworkUse: true, metadata: [:]))
        try writer.add(encoder)
        for index in 0..<5 {
            try encoder.encode(try PlanarPicture.noise(size, seed: UInt64(index)).frame(), index: index, to: writer)
        }
        try encoder.finish(to: writer)
        try writer.finish()
    }

    /// Joins the segment as the stitch does, without changing packets.
    private func join(_ segment: String, to path: String) throws {
        let reader = try PacketReader(path: segment)
        let writer = try MovieWriter(path: path, ContainerSettings(fileType: .mov, optimizeForNetworkUse: true, metadata: [:]))
        try writer.add(copying: reader, .video, timeBase: Rational(1, 25))
        for index in 0..<Int64(5) {
            let packet = try #require(try reader.next())
            try packet.copy(to: writer, track: .video, presentation: index, decoding: index, duration: 1)
        }
        try writer.finish()
    }

    private func places(of text: String, in bytes: [UInt8]) -> [Int] {
        let wanted = Array(text.utf8)
        return bytes.indices.filter { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }
}
