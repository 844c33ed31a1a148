import ExactTime
import ExportPlan
import Testing
import FoundationEssentials

@Suite("Source facts")
struct SourceFactsTests {
    /// Facts with the fields that not every source has.
    private func facts() -> SourceFacts {
        var video = VideoFacts(
            streamIndex: 0, codec: "hevc", size: FrameSize(width: 64, height: 48), orientation: .upright,
            sampleAspectRatio: .one, pixelFormat: "yuv420p10le", hasAlpha: false, color: .bt709,
            timeBase: Rational(1, 90_000), frameRate: FrameRate(25), isVariableFrameRate: false, frameCount: 50,
            duration: MediaTime(seconds: 2), keyframes: [.zero], isStill: false)
        video.hdrMetadata = HDRMetadata(
            masteringDisplay: nil, contentLight: ContentLight(maxContent: 1000, maxFrameAverage: 400))
        return SourceFacts(
            contentHash: String(repeating: "a", count: 64), byteCount: 5, container: "mp4", origin: .zero, video: video,
            audio: nil, auxiliaryKind: .captions)
    }

    @Test(
        "A warning says where a source is damaged, and what is seen or heard instead",
        arguments: [
            (SourceWarning.Code.frozenPictures, ": 3 pictures cannot be decoded, and the nearest good one is shown instead"),
            (.damagedPictures, ": 3 pictures may show it"),
            (.damagedSound, ": 3 samples of its sound cannot be decoded and are silent"),
            (
                .textInDrawing,
                "has text, which is drawn with the fonts of the machine that renders the film, and may look different on another"
            ),
            (
                .undrawnInAnimation,
                "has effects, expressions, merged paths, mattes of a single shape or layers in three dimensions, which are not "
                    + "drawn"
            ),
            (
                .unusedProfile,
                "has an ICC profile that is damaged or not meant for its pixels; it is not used, and colours may look different "
                    + "elsewhere"
            ),
        ])
    func warnings(code: SourceWarning.Code, message: String) {
        let found = SourceWarning(code, source: "a", from: 1, to: 2, count: 3).message
        #expect(found.hasSuffix(message), "\(found)")
    }

    @Test("Facts are the same after they were stored, and their JSON has the names of their fields")
    func stored() throws {
        let json = try JSONEncoder().encode(facts())
        #expect(try JSONDecoder().decode(SourceFacts.self, from: json) == facts())
        let text = String(decoding: json, as: UTF8.self)
        for field in [#""version":5"#, #""auxiliaryKind":"captions""#, #""hdrMetadata":{"contentLight":{"#] {
            #expect(text.contains(field), "\(text)")
        }
    }

    @Test("Facts of another version, or of none, cannot be decoded", arguments: [nil, 1, 4, 6])
    func otherVersion(_ version: Int?) throws {
        let json = String(decoding: try JSONEncoder().encode(facts()), as: UTF8.self)
        let own = #""version":\#(FactsVersion.current)"#
        try #require(json.contains(own))
        let other = json.replacing(own, with: version.map { #""version":\#($0)"# } ?? #""other":0"#)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(SourceFacts.self, from: Data(other.utf8)) }
        guard let version else { return }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            context.debugDescription
                == "these source facts have version \(version), this program needs \(FactsVersion.current)")
    }
}
