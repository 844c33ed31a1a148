import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// SVG files as stills, compared with what librsvg's own tool draws.
@Suite struct SVGTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("An SVG is a still of its own size with the pixels of rsvg-convert", arguments: SVGMaker.documents.indices)
    func pixels(_ index: Int) async throws {
        let (name, text, width, height) = SVGMaker.documents[index]
        let path = try SVGMaker.write(text, "a.svg", in: directory)
        let facts = try Probe.facts(ofFile: path)
        let video = try #require(facts.video)
        #expect(facts.container == "svg" && video.codec == "svg" && facts.audio == nil)
        #expect(video.isStill && video.hasAlpha && video.isDrawing && video.frameCount == 1)
        #expect(video.size == FrameSize(width: width, height: height), "\(name)")
        let frame = try FrameReader(SourceReference(facts: facts, path: path)).frame(at: .zero)
        let wanted = try await SVGMaker.witness(path, width: width, height: height, in: directory)
        #expect(SVGMaker.difference(try PillowFrames.seen(frame, video), wanted) <= 1, "\(name)")
    }

    @Test("An SVG that is shown larger is drawn larger, and a part of it is that part", arguments: SVGMaker.documents.indices)
    func views(_ index: Int) async throws {
        let (name, text, width, height) = SVGMaker.documents[index]
        let path = try SVGMaker.write(text, "a.svg", in: directory)
        let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        let video = try #require(source.facts.video)
        let large = FrameSize(width: 4 * width, height: 4 * height)
        let wanted = try await SVGMaker.witness(path, width: large.width, height: large.height, in: directory)
        let whole = try FrameReader(source, view: DrawnView(size: large)).frame(at: .zero)
        #expect(SVGMaker.difference(try PillowFrames.seen(whole, video), wanted) <= 1, "\(name)")
        // The right half of the middle.
        let half = Region(x: Rational(1, 2), y: Rational(1, 4), width: Rational(1, 2), height: Rational(1, 2))
        let size = FrameSize(width: 2 * width, height: 2 * height)
        let part = try FrameReader(source, view: DrawnView(region: half, size: size)).frame(at: .zero)
        var rows: [UInt8] = []
        for y in height..<3 * height {
            let start = (y * large.width + 2 * width) * 4
            rows += wanted[start..<start + size.width * 4]
        }
        let difference = SVGMaker.difference(try PillowFrames.seen(part, video), rows)
        // Edges that the border of a picture cuts are smoothed a little differently.
        #expect(difference <= 16, "\(name): \(difference)")
    }

    @Test("A packed SVG, one in UTF-16, and one behind a long comment are recognised whatever their names are")
    func recognised() async throws {
        let (_, text, width, height) = SVGMaker.documents[1]
        let path = try SVGMaker.write(text, "a.svg", in: directory)
        let wanted = try await SVGMaker.witness(path, width: width, height: height, in: directory)
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)' && gzip -k a.svg && mv a.svg.gz packed.png"
                + " && (printf '<?xml version=\"1.0\" encoding=\"UTF-16\"?>' | cat - a.svg | iconv -f UTF-8 -t UTF-16) > wide.jpg"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let comment =
            "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY c 'x'>]>\n<!-- " + String(repeating: "- ", count: 20_000) + "-->\n"
        try SVGMaker.write("\u{FEFF}" + comment + text, "comment.json", in: directory)
        for name in ["packed.png", "wide.jpg", "comment.json"] {
            let source = SourceReference(facts: try Probe.facts(ofFile: directory.file(name)), path: directory.file(name))
            let video = try #require(source.facts.video)
            #expect(source.facts.container == "svg", "\(name)")
            let pixels = try PillowFrames.seen(try FrameReader(source).frame(at: .zero), video)
            #expect(SVGMaker.difference(pixels, wanted) <= 1, "\(name)")
        }
    }

    @Test(
        "The size is that of width and height, completed by the viewBox, or 300 by 150 as in browsers",
        arguments: [
            ("width='40' height='30' viewBox='0 0 1 1'", 40, 30), ("width='100%' height='100%' viewBox='0 0 64 32'", 64, 32),
            ("width='120' viewBox='0 0 60 20'", 120, 40), ("height='30mm' viewBox='0 0 20 10'", 227, 113),
            ("width='100%'", 300, 150), ("", 300, 150), ("width='10.6' height='3.2'", 11, 3), ("width='0.2' height='2'", 1, 2),
        ])
    func size(_ attributes: String, width: Int, height: Int) throws {
        let path = try SVGMaker.write(SVGMaker.document(attributes, "<rect width='9' height='9'/>"), "a.svg", in: directory)
        #expect(try Probe.facts(ofFile: path).video?.size == FrameSize(width: width, height: height))
    }

    @Test("Text is drawn with the fonts of the machine, and a film that shows it says so; other drawings say nothing")
    func text() throws {
        for (text, isText) in [
            ("<text y='20' font-family='No Such Family'>x</text>", true), ("<path d='M0 0h9v9z'/>", false),
            ("<g xmlns:s='http://www.w3.org/2000/svg'><s:text y='20'>x</s:text></g>", true),
        ] {
            let path = try SVGMaker.write(SVGMaker.document("width='40' height='30'", text), "a.svg", in: directory)
            let damage = DamageLog()
            let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
            let frame = try FrameReader(source, damage: damage).frame(at: .zero)
            #expect(damage.warnings.map(\.code) == (isText ? [.textInDrawing] : []), "\(text)")
            let video = try #require(source.facts.video)
            // A family that is not installed is replaced, as in other programs, and not left out.
            #expect(try PillowFrames.seen(frame, video).contains { $0 != 0 }, "\(text)")
        }
    }
}
