import DraftModel
import ExactTime
import Testing
import Vocabulary

@Suite("Settings of the pictures beside a film")
struct PictureSettingsTests {
    private func faults(_ values: [String: String]) -> [String] {
        ExportSettings.read(values).diagnostics.map { "\($0.path) \($0.code.rawValue)" }
    }

    @Test("They are read as exact numbers, and are written as they are read")
    func read() {
        let values = ["posterTime": "7/2", "spriteInterval": "2.5", "spriteWidth": "240"]
        let (settings, diagnostics) = ExportSettings.read(values)
        #expect(diagnostics.isEmpty && settings.posterTime == Rational(7, 2) && settings.spriteInterval == Rational(5, 2))
        #expect(settings.spriteWidth == 240 && ExportSettings.read(settings.values).settings == settings)
    }

    @Test(
        "Values that no film can have are refused",
        arguments: [
            (["posterTime": "-1"], ["posterTime outOfRange"]), (["posterTime": "soon"], ["posterTime wrongType"]),
            (["spriteInterval": "0"], ["spriteInterval outOfRange"]), (["spriteWidth": "160"], ["spriteWidth conflict"]),
            (["spriteInterval": "1", "spriteWidth": "9"], ["spriteWidth outOfRange"]),
            (
                ["fileType": "m4a", "posterTime": "1", "spriteInterval": "1"],
                ["posterTime conflict", "spriteInterval conflict"]
            ),
        ])
    func refused(values: [String: String], expected: [String]) {
        #expect(faults(values).sorted() == expected)
    }

    @Test("A recording has none")
    func recording() {
        let (_, diagnostics) = RecordingSettings.read(nil, overrides: ["posterTime": "1", "spriteInterval": "1"])
        #expect(diagnostics.map(\.path).sorted() == ["posterTime", "spriteInterval"])
    }
}

@Suite("Settings of a picture instead of a film")
struct SinglePictureSettingsTests {
    @Test("They are read, and are written as they are read")
    func read() {
        let frame = ["frameTime": "7/2", "fileType": "jpeg", "pictureSize": "320x180", "pictureFit": "cover"]
        let sheet = ["sheetCount": "12", "sheetColumns": "4", "pictureMaxSize": "90x90"]
        for values in [frame, sheet, ["frameTime": "0"]] {
            let (settings, diagnostics) = ExportSettings.read(values)
            #expect(diagnostics.isEmpty && settings.picture != nil)
            #expect(ExportSettings.read(settings.values).settings == settings)
        }
        let picture = ExportSettings.read(frame).settings.picture
        #expect(picture?.frames == .time(Rational(7, 2)) && picture?.size == .exactly(320, 180))
        #expect(picture?.fit == .cover && picture?.fileType == .jpeg)
        #expect(ExportSettings.read(["frameTime": "0"]).settings.picture?.fileType == .png)
    }

    @Test(
        "What makes no picture, and what belongs to a film, is refused",
        arguments: [
            (["frameTime": "-1"], ["frameTime outOfRange"]), (["frameTime": "soon"], ["frameTime wrongType"]),
            (["sheetCount": "401"], ["sheetCount outOfRange"]),
            (["sheetCount": "4", "frameTime": "1"], ["sheetCount conflict"]),
            (["sheetColumns": "4"], ["sheetColumns conflict"]), (["pictureSize": "9x9"], ["pictureSize conflict"]),
            (["frameTime": "1", "sheetColumns": "4"], ["sheetColumns conflict"]),
            (["frameTime": "1", "pictureSize": "0x9"], ["pictureSize invalidValue"]),
            (["frameTime": "1", "pictureSize": "9x9x9"], ["pictureSize invalidValue"]),
            (["frameTime": "1", "pictureSize": "9x9", "pictureMaxSize": "9x9"], ["pictureMaxSize conflict"]),
            (["frameTime": "1", "fileType": "mp4"], ["fileType conflict"]),
            (["frameTime": "1", "fileType": "tiff"], ["fileType conflict"]),
            (
                ["frameTime": "1", "videoCodec": "h264", "posterTime": "1", "channels": "2"],
                ["channels conflict", "posterTime conflict", "videoCodec conflict"]
            ),
        ])
    func refused(values: [String: String], expected: [String]) {
        let diagnostics = ExportSettings.read(values).diagnostics
        #expect(diagnostics.map { "\($0.path) \($0.code.rawValue)" }.sorted() == expected)
    }

    @Test("A recording has none")
    func recording() {
        let (_, diagnostics) = RecordingSettings.read(nil, overrides: ["frameTime": "1"])
        #expect(diagnostics.map(\.path) == ["frameTime"])
    }
}
