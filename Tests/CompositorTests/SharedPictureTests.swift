import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Real pictures: HDR is converted to a usable SDR picture, and a photo is upright however it is stored.
@Suite(.enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence))) struct SharedPictureTests {
    @Test(
        "HLG, PQ and wide gamut become neither black nor burnt out, and keep detail",
        arguments: [
            "hlg_hevc10_1080p_9frames.mp4", "hdr10_pq_av1_portrait_720x1280_4s.mp4", "roadtrip_vp9_10bit_2398fps_3s.webm",
        ])
    func highDynamicRange(_ name: String) throws {
        let source = try TestSource(SharedMedia.file("av/\(name)"))
        let size = try #require(source.reference.facts.video?.displaySize)
        let canvas = FrameSize(width: size.width / 4 / 2 * 2, height: size.height / 4 / 2 * 2)
        let picture = try composed([Layer(content: source.playing)], canvas: canvas, source.sources, frames: [4])[0]
        let luma = picture.planes[0].map(Int.init)
        let mean = Double(luma.reduce(0, +)) / Double(luma.count)
        #expect(mean > 35 && mean < 200, "mean luma \(mean)")
        let burnt = Double(luma.filter { $0 >= 233 }.count) / Double(luma.count)
        let black = Double(luma.filter { $0 <= 17 }.count) / Double(luma.count)
        #expect(burnt < 0.1 && black < 0.5, "\(burnt) burnt, \(black) black")
        #expect(luma.allSatisfy { (16...235).contains($0) })
        let variance = luma.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(luma.count)
        #expect(variance > 100, "variance \(variance)")
    }

    @Test("A photo with EXIF orientation 6 looks like the one with orientation 1")
    func exifPhoto() throws {
        let canvas = FrameSize(width: 600, height: 400)
        let pictures = try [1, 6].map { number in
            let source = try TestSource(SharedMedia.file("image/exif_landscape_\(number).jpg"))
            return try composed([Layer(content: .still(source: source.hash))], canvas: canvas, source.sources)[0]
        }
        #expect(pictures[0].meanDifference(from: pictures[1]) < 2)
    }

    @Test("A phone's upright video fills an upright canvas as ffmpeg shows it")
    func phone() async throws {
        let path = SharedMedia.file("av/phone_rot90_720p30_aac_1s.mp4")
        let source = try TestSource(path)
        let size = FrameSize(width: 720, height: 1280)
        #expect(source.reference.facts.video?.displaySize == size)
        let directory = try TemporaryDirectory()
        let first = directory.file("first.mkv")
        try await FFmpegTool.ffmpeg(["-i", path, "-frames:v", "1", "-an", "-c:v", "ffv1"] + RawVideo.bt709 + [first])
        let shown = try await RawVideo.decode(first, pixelFormat: "yuv420p", bytesPerFrame: 720 * 1280 * 3 / 2)
        let picture = try composed([Layer(content: source.playing)], canvas: size, source.sources)[0]
        #expect(picture.bytes == shown[0])
    }
}
