import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import Vocabulary
import FoundationEssentials

/// The messages about drafts that ask for what their sources do not have, or what cannot be copied from them.
@Suite("Messages about sources")
struct SourceMessageTests {
    /// `a` is a film of 10 s with a keyframe every 2 s, `uneven` has a variable frame rate, and `other` has pictures that
    /// cannot be encoded beside copied ones.
    private static let facts: [String: SourceFacts] = {
        var (uneven, other, tagged) = (SourceFacts.film("uneven"), SourceFacts.film("other"), SourceFacts.film("tagged"))
        uneven.video?.isVariableFrameRate = true
        other.video?.pixelFormat = "yuv444p"
        tagged.tags = ["artist": "Ada"]
        var facts: [String: SourceFacts] = [
            "a": SourceFacts.film("a"), "silent": SourceFacts.film("silent", hasSound: false), "uneven": uneven, "other": other,
            "tagged": tagged, "words": .auxiliarySource("words", "srt", .captions),
        ]
        facts["several"] = SourceFacts.ofEverything(in: Draft())["several"]
        facts["plugin:ladspa/amps/wide"] = SourceFacts(
            contentHash: SourceFacts.hash("wide"), byteCount: 1, container: "spool-plugin", origin: .zero, video: nil, audio: nil,
            plugin: PluginFacts(
                name: "ladspa/amps/wide", title: "Wide", explanation: "", author: "", parameters: [], channels: 6))
        return facts
    }()

    private func lines(_ json: String, _ settings: [String: String] = [:]) throws -> [String] {
        var sample = try SampleDraft(json: json, facts: Self.facts)
        sample.settings = ExportSettings.read(settings).settings
        do {
            return try sample.compiler.compose(sample.draft).warnings.map(\.line)
        } catch let error as DraftError {
            return error.diagnostics.map(\.line)
        }
    }

    // MARK: Passthrough

    private static let inside = #"{"type": "av", "url": "a", "timeRange": {"start": 0.5, "duration": 1}}"#

    static let copied: [(String, String, String)] = [
        (
            #"{"type": "av", "url": "uneven"}"#, "mkv",
            "error: mainTrackClips[0].url: has a variable frame rate: passthrough copies only a single such clip, into mp4 or mov"
        ),
        (
            #"{"type": "av", "url": "other", "timeRange": {"start": 0, "duration": 3}}"#, "mkv",
            "error: mainTrackClips[0].timeRange.duration: must end before a keyframe to be copied: the frames after it cannot be "
                + "encoded in the same format; export with another preset"
        ),
        (
            inside, "mkv",
            "error: mainTrackClips: show no whole group of pictures, which is the least that can be copied; choose mp4 or mov"
        ),
        (
            "\(inside), \(inside)", "mp4",
            "error: mainTrackClips: show no whole group of pictures, which is the least that can be copied; export with another "
                + "preset"
        ),
        (
            #"{"type": "av", "url": "a", "animations": [{"keyPath": "opacity", "keyTimes": [0, 1], "values": [0.5, 1]}]}"#, "mp4",
            "error: mainTrackClips: are changed before they are shown; export with another preset than passthrough"
        ),
    ]

    @Test("Clips that cannot be copied are reported with the remedy", arguments: copied)
    func passthrough(clips: String, fileType: String, line: String) throws {
        let found = try lines(
            #"{"version": 1, "mainTrackClips": [\#(clips)]}"#, ["preset": "passthrough", "fileType": fileType])
        #expect(found.contains(line), "\(found)")
    }

    // MARK: Pictures and sounds

    @Test("A crop without width or height is reported, also where animations make it")
    func emptyCrop() throws {
        let crop = #""cropRect": {"x": 0, "y": 0, "width": 100, "height": 100}"#
        let animation = #"{"keyPath": "cropRect.width", "keyTimes": [0, 1], "values": [0, 0]}"#
        let clip = #"{"type": "av", "url": "a", \#(crop), "animations": [\#(animation)]}"#
        let found = try lines(#"{"version": 1, "mainTrackClips": [\#(clip)]}"#)
        #expect(
            found.contains(
                "error: mainTrackClips[0].cropRect: leaves nothing of 'a', which is 1920x1080 when upright; give it a width and a "
                    + "height"), "\(found)")
    }

    @Test("A crop of captions is reported with the remedy")
    func captions() throws {
        let crop = #""cropRect": {"x": 0, "y": 0, "width": 8, "height": 8}"#
        let layer = #"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "captions", "url": "words"}, \#(crop)}"#
        let found = try lines(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a"}], "layers": [\#(layer)]}"#)
        #expect(
            found.contains(
                "error: layers[0].cropRect: does not belong to captions, which are as large as the frame; leave it out"),
            "\(found)")
    }

    @Test("A plug-in for other channels than the film's is reported with the remedy")
    func channels() throws {
        let filter = #"{"type": "ladspa", "file": "amps", "plugin": "wide"}"#
        let clip = #"{"type": "av", "url": "a", "audioFilters": [\#(filter)]}"#
        let found = try lines(#"{"version": 1, "mainTrackClips": [\#(clip)]}"#)
        #expect(
            found.contains(
                "error: mainTrackClips[0].audioFilters[0].plugin: takes 6 channels, and the film has 2; export with 6 channels, or "
                    + "use a plug-in for one channel, which is run for each"), "\(found)")
    }

    @Test("A file with streams that nobody chose is a warning with the field that chooses one")
    func streams() throws {
        let found = try lines(#"{"version": 1, "mainTrackClips": [{"type": "av", "url": "several"}]}"#)
        for remedy in ["; choose one by videoStream", "; choose one by audioStream"] {
            #expect(found.contains { $0.contains("'several' has 2 ") && $0.hasSuffix(remedy) }, "\(found)")
        }
    }

    @Test("Tags that the film's type cannot hold are a warning with the remedy")
    func tags() throws {
        let found = try lines(
            #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "tagged"}], "sourceMetadata": "first"}"#,
            ["fileType": "ts"])
        #expect(
            found.contains(
                "warning: sourceMetadata: leaves out artist, which a ts file cannot hold; name the tags to take over, or write "
                    + "another type of file"), "\(found)")
    }

    @Test("A stream of a file without any is reported with what to do")
    func noStream() throws {
        let text = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "silent", "audioStream": 3}]}"#
        let draft = try #require(Draft.read(Data(text.utf8)).draft)
        let found = SourceOutcomes(SourceUse.all(in: draft), reported: []) { _ in .facts(.film("silent", hasSound: false)) }
        #expect(found.diagnostics.map(\.path) == ["mainTrackClips[0].audioStream"])
        #expect(found.diagnostics.map(\.message) == ["'silent' has no sound stream 3, and no other; leave it out"])
    }
}
