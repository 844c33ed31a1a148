import ExactTime
import ExportPlan
import Testing
import Vocabulary

@Suite("Pictures beside a film")
struct FilmPicturesTests {
    private func index(_ interval: Rational, _ duration: Rational) -> SpriteIndex {
        SpriteIndex(interval: interval, duration: MediaTime(duration), width: 160, height: 90)
    }

    @Test("There is a sprite for every interval that has begun, and a sheet for every hundred")
    func counts() {
        #expect(index(Rational(5), Rational(20)).count == 4)
        #expect(index(Rational(5), Rational(201, 10)).count == 5)
        #expect(index(Rational(5), Rational(1, 30)).count == 1)
        #expect(index(Rational(1, 10), Rational(10)).sheetCount == 1)
        #expect(index(Rational(1, 10), Rational(101, 10)).sheetCount == 2)
        #expect(index(Rational(1, 10), Rational(101, 10)).sprites(ofSheet: 1) == 100..<101)
    }

    @Test("The index names the rectangle of every time, without gaps, up to the end of the film")
    func webVTT() {
        let text = index(Rational(5, 2), Rational(3_603_001, 1000)).webVTT { "sheet \($0)" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.prefix(4) == ["WEBVTT", "", "00:00:00.000 --> 00:00:02.500", "sheet 0#xywh=0,0,160,90"])
        #expect(lines.contains("01:00:00.000 --> 01:00:02.500"))
        let times = lines.filter { $0.contains(" --> ") }
        #expect(times.last == "01:00:02.500 --> 01:00:03.001" && times.count == 1442)
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(earlier.suffix(12) == later.prefix(12)) }
        // Sprite 123 is the fourth of the third row of the second sheet.
        #expect(lines.contains("sheet 1#xywh=480,180,160,90"))
        #expect(lines[4 + 123 * 3 - 1] == "sheet 1#xywh=480,180,160,90")
    }

    @Test("Files are named after the film, and the index names its sheets by relative addresses")
    func names() {
        let sprites = FilmPictures.Sprites(sheets: [ArtifactKey("s")], index(Rational(5), Rational(7)))
        let pictures = FilmPictures(poster: ArtifactKey("p"), sprites: sprites)
        #expect(pictures.keys.map(\.text) == ["p", "s"])
        #expect(pictures.files().map(\.name) == ["poster.jpg", "sprites-1.jpg", "sprites.vtt"])
        #expect(pictures.files().map(\.mediaType) == ["image/jpeg", "image/jpeg", "text/vtt"])
        let files = pictures.files(beside: "a b/c d.MP4", FileType.mp4.format)
        #expect(files.map(\.name) == ["a b/c d.poster.jpg", "a b/c d.sprites-1.jpg", "a b/c d.sprites.vtt"])
        guard case .text(let text)? = files.last?.content else {
            Issue.record("the index is a text")
            return
        }
        #expect(text.contains("\nc%20d.sprites-1.jpg#xywh=160,0,160,90\n"))
        #expect(pictures.files(beside: "export.12", FileType.mp4.format).first?.name == "export.12.poster.jpg")
        #expect(pictures.files(beside: "x.mp4", nil).first?.name == "x.mp4.poster.jpg")
        #expect(FilmPictures(poster: ArtifactKey("p")).files().map(\.name) == ["poster.jpg"])
    }
}
