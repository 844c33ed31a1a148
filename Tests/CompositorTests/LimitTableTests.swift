import Compositor
import ContentHashing
import ExactTime
import ExportPlan
import Media
import Operations
import TestSupport
import TextRendering
import Testing

@Suite("The table of the limits of sources")
struct LimitTableTests {
    @Test("docs/configuration.md lists every limit of sources with its number")
    func table() throws {
        func n(_ number: Int) -> String { DocumentTable.text(number) }
        func b(_ bytes: Int) -> String { DocumentTable.text(bytes: bytes) }
        func t(_ time: Duration) -> String { DocumentTable.text(time) }
        let probe = ProbeTimeLimit()
        let expected = [
            ["streams of a file", n(MediaLimits.streams)],
            ["packets of the streams that are played", n(MediaLimits.packets)],
            ["length", "\(n((MediaLimits.duration / MediaTime(seconds: 3600)).floor)) hours"],
            ["processor time of a probe", "\(n(Int(MediaLimits.processorTime))) s"],
            [
                "time of a probe by the clock, in a farm",
                "\(n(Int(probe.base / .seconds(60)))) minutes, and the time to read the file at "
                    + "\(n(probe.bytesPerSecond / 1_000_000)) MB/s",
            ],
            ["time of one read of \(b(SourceFile.chunk)), in a farm", t(ReadWatch.limit)],
            ["sides of a picture", "\(n(PictureLimits.side)) pixels"],
            [
                "an animated picture",
                "\(n(PictureLimits.animationPixels)) pixels (2^25), \(n(PictureLimits.animationFrames)) frames",
            ],
            ["a picture file that is read whole (animated WebP, HEIC, AVIF)", b(PictureLimits.fileBytes)],
            [
                "an SVG",
                "\(b(SVGDrawing.byteLimit)), also after it is unpacked; \(n(PictureLimits.drawnPixels)) pixels (2^24) where it is "
                    + "shown larger than its own size",
            ],
            ["reading a drawing, and drawing a picture of it", "\(n(Int(LimitedWork.seconds))) s of processor time"],
            [
                "a text that is drawn",
                "\(n(TextContent.byteLimit)) bytes, and paragraphs of \(n(TextContent.paragraphLimit)) pixels before they wrap",
            ],
            ["captions", "\(n(CaptionFile.captionLimit)) in a file of \(b(Document.captionBytes))"],
            [
                "a lookup table",
                "\(n(CubeFile.cubeSizes.upperBound)) points on each axis, \(n(CubeFile.curveSizes.upperBound)) on a single one, "
                    + "in a file of \(b(Document.tableBytes))",
            ],
            ["a font file", b(Document.fontBytes)],
        ]
        #expect(try DocumentTable.rows(of: "docs/configuration.md", below: "## Limits of sources") == expected)
    }
}
