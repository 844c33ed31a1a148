import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing

/// Broken and unsupported files from other sources.
@Suite(.enabled(if: SharedMedia.isPresent, Comment(rawValue: SharedMedia.absence))) struct SharedHostileFileTests {
    @Test(
        "A cut JPEG, a cut PNG and a cut MP4 are reported as damaged",
        arguments: [
            "broken/truncated.jpg", "broken/png_truncated.png", "broken/truncated_moov_first_35s_1080p.mp4",
        ])
    func damaged(_ name: String) throws {
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: SharedMedia.file(name)) }
        #expect(error.code == .damaged, "\(error)")
        #expect(error.failureClass == .input)
    }

    @Test("A GIF with a frame far outside its canvas costs no more memory than its canvas")
    func gifBomb() throws {
        let path = SharedMedia.file("broken/bomb_extents.gif")
        switch probed(path) {
        case .success(let facts):
            let video = try #require(facts.video)
            #expect(max(video.size.width, video.size.height) <= 100)
            #expect(try FrameReader(SourceReference(facts: facts, path: path)).frame(at: .zero).size == video.size)
        case .failure(let error):
            #expect(error.failureClass == .input)
        }
    }

    @Test("An MP4 whose media box extends past the end of the file is read as far as possible, or refused")
    func overlongBox() throws {
        let path = SharedMedia.file("broken/mdat_too_long.mp4")
        let facts = try Probe.facts(ofFile: path)
        #expect(facts.video?.frameCount == 30)
    }

    @Test("A video track without any decodable picture gives an error that names the file, or no video")
    func noFrames() throws {
        let path = SharedMedia.file("broken/zero_frame_video.ts")
        switch probed(path) {
        case .success(let facts): #expect(facts.video == nil && facts.audio != nil)
        case .failure(let error): #expect(error.subject == path && error.failureClass == .input)
        }
    }
}

/// The result of a probe, without throwing.
func probed(_ path: String) -> Result<SourceFacts, MediaError> {
    Result { () throws(MediaError) in try Probe.facts(ofFile: path) }
}
