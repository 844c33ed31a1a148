import DraftModel
import Testing
import FoundationEssentials

/// The messages about export settings and the settings of recordings as a person reads them.
@Suite("Messages about settings")
struct SettingsMessageTests {
    static let ofExports: [([String: String], String)] = [
        (["spriteWidth": "160"], "spriteWidth: is the width of sprites, and there are none; give a spriteInterval"),
        (
            ["preset": "passthrough", "videoQuality": "20"],
            "videoQuality: is not supported with passthrough, which copies the pictures unchanged; leave it out"
        ),
        (["preset": "passthrough", "fileType": "gif"], "for passthrough, which copies the pictures of films"),
        (["fileType": "wav", "level": "4"], "level: belongs to h264 and hevc, and the WAV format has no video"),
        (
            ["videoQuality": "20", "videoBitrate": "1000000"],
            "videoBitrate: is decided by videoQuality already; give one of them"
        ),
        (["preset": "proRes422", "encoderSpeed": "fast"], "whose encoder has one speed; leave it out"),
        (["preset": "gif", "maxKeyframeInterval": "2"], "which has no keyframes; leave it out"),
        (["preset": "gif", "colorRange": "displayP3"], "which cannot say so; leave it out"),
        (
            ["preset": "proRes4444", "alpha": "false"],
            "alpha: is what the preset proRes4444 is for; leave it out, or give the preset proRes422"
        ),
        (
            ["preset": "proRes4444", "colorRange": "hdr"],
            "colorRange: hdr composes nothing, and transparent pictures are composed; leave one out"
        ),
        (
            ["fileType": "webm", "alpha": "true", "colorRange": "displayP3"],
            "colorRange: displayP3 is not supported with alpha, which is composed in BT.709; leave it out"
        ),
        (
            ["fileType": "webm", "alpha": "true", "videoBitrate": "1000000"],
            "videoBitrate: is not supported with alpha, whose bits no encoder can plan; give a videoQuality"
        ),
        (["channels": "3"], "channels: must be 1 (mono), 2 (stereo) or 6 (5.1), not 3"),
        (["destination": "shop"], "destination: is for exports on a farm; leave it out, and name the file with -o"),
        (
            ["fileType": "hls", "renditions": "720,7"],
            "renditions: must be the shorter sides of the pictures in even pixels of 64...8192, as in 1080,720,480, not '720,7'"
        ),
        (["fileType": "hls", "renditions": "720,720"], "renditions: has a rendition twice: '720,720'"),
        (
            ["fileType": "hls", "renditions": "64,66,68,70,72,74,76,78,80"],
            "renditions: has 9 renditions; a stream may have 8"
        ),
        (["renditions": "720"], "renditions: belongs to a stream; set fileType to hls, or leave it out"),
        (
            ["fileType": "hls", "videoBitrate": "1000000"],
            "videoBitrate: is not supported for a stream, whose renditions have a quality; give a videoQuality"
        ),
        (
            ["fileType": "hls", "posterTime": "1"],
            "posterTime: is not supported for a stream; make the pictures with an export of another file type"
        ),
        (
            ["fileType": "hls", "optimizeForNetworkUse": "false"],
            "optimizeForNetworkUse: is not supported for a stream, which always is; leave it out"
        ),
        (
            ["pictureFit": "contain"],
            "pictureFit: belongs to an export that makes a picture; give a frameTime or a sheetCount, too"
        ),
        (
            ["frameTime": "1", "sheetCount": "4"],
            "sheetCount: asks for a contact sheet, and frameTime for a single frame; give one of them"
        ),
        (["frameTime": "1", "sheetColumns": "2"], "sheetColumns: belongs to a contact sheet; give a sheetCount"),
        (
            ["frameTime": "1", "pictureSize": "8x8", "pictureMaxSize": "8x8"],
            "pictureMaxSize: is decided by pictureSize already; give one of them"
        ),
        (["frameTime": "1", "fileType": "mov"], "for an export that makes a picture"),
        (
            ["frameTime": "1", "pictureSize": "8"],
            "pictureSize: must be a width and a height of 1...16384 pixels, as in 320x180, not '8'"
        ),
        (
            ["frameTime": "1", "videoQuality": "20"],
            "videoQuality: belongs to a film, and the export makes a picture; leave it out"
        ),
    ]

    @Test("A setting that an export cannot have is reported with the remedy", arguments: ofExports)
    func export(values: [String: String], words: String) {
        let lines = ExportSettings.read(values).diagnostics.map(\.placedMessage)
        #expect(lines.contains { $0.contains(words) }, "\(lines)")
    }

    static let ofRecordings: [(String, String)] = [
        (#"{"minDuration": 3, "maxDuration": 2}"#, "minDuration: must be at most maxDuration, 2 s, not 3"),
        (#"{"draftDuration": 1}"#, "draftDuration: is that of a draft; give the draft, too"),
        (
            #"{"draft": {"version": 1, "mainTrackClips": [], "timeRange": {"start": 0, "duration": 1}}}"#,
            "draft.timeRange: would cut off what is recorded; leave it out"
        ),
        (
            #"{"draft": {"version": 1, "mainTrackClips": []}}"#,
            "draft.mainTrackClips: has no clip that the recording could continue; give one, or leave the draft out"
        ),
        (
            #"{"preset": "lowQuality"}"#,
            "preset: belongs to exports, except passthrough; a recording has its videoSize and videoQuality"
        ),
        (#"{"posterTime": 1}"#, "posterTime: belongs to exports; a picture of a recording is taken with a snapshot"),
        (#"{"frameTime": 1}"#, "frameTime: belongs to exports; a picture of a recording is taken with a snapshot"),
        (#"{"alpha": true}"#, "alpha: belongs to exports; leave it out"),
        (#"{"fileSizeLimit": 1000000}"#, "fileSizeLimit: belongs to exports; a recording has its videoBitrate"),
        (
            #"{"preset": "passthrough", "mirror": true}"#,
            "mirror: is not supported with passthrough, which copies the pictures unchanged; leave it out"
        ),
        (#"{"fileType": "gif"}"#, "fileType: a clip cannot be recorded as gif by this version; take "),
    ]

    @Test("A setting that a recording cannot have is reported with the remedy", arguments: ofRecordings)
    func recording(text: String, words: String) {
        let lines = RecordingSettings.read(Data(text.utf8)).diagnostics.map(\.placedMessage)
        #expect(lines.contains { $0.contains(words) }, "\(lines)")
    }
}
