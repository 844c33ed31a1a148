import ExactTime
import ExportPlan
import Media
import TestSupport
import TextRendering
import Testing
import FoundationEssentials

/// SVG files that are damaged, that ask for too much, or that name files and hosts.
@Suite struct HostileSVGTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func refusal(_ text: String) throws -> MediaError {
        let path = try SVGMaker.write(text, "a.svg", in: directory)
        return try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
    }

    private func pixels(_ text: String) throws -> [UInt8] {
        let path = try SVGMaker.write(text, "a.svg", in: directory)
        let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
        let video = try #require(source.facts.video)
        return try PillowFrames.seen(try FrameReader(source).frame(at: .zero), video)
    }

    @Test(
        "A size that no picture may have is refused",
        arguments: [
            ("width='1000000000' height='10'", MediaErrorCode.overLimit, "at most 16384"),
            ("width='16385' height='1'", .overLimit, "16385x1"),
            ("width='0' height='10'", .damaged, "is damaged: its picture has no size"),
            (
                "width='16384' height='16384'", .overLimit,
                "pixels; make its width and height smaller, which changes nothing but the size at which it is measured"
            ),
        ])
    func size(_ attributes: String, code: MediaErrorCode, words: String) throws {
        let error = try refusal(SVGMaker.document(attributes, "<rect width='9' height='9'/>"))
        #expect(error.code == code && error.message.contains(words), "\(error.message)")
    }

    @Test(
        "A length that is no number of pixels counts as missing, as in browsers",
        arguments: [("width='1e300' height='1e300'", 300, 150), ("width='-5' height='10'", 300, 10)])
    func invalidLength(_ attributes: String, width: Int, height: Int) throws {
        let path = try SVGMaker.write(SVGMaker.document(attributes, "<rect width='9' height='9'/>"), "a.svg", in: directory)
        #expect(try Probe.facts(ofFile: path).video?.size == FrameSize(width: width, height: height))
    }

    @Test(
        "A document that is not whole is refused as damaged",
        arguments: ["<svg", "<svg xmlns='http://www.w3.org/2000/svg'><g>", "<svg><"])
    func cut(_ text: String) throws {
        #expect(try refusal(text).code == .damaged)
    }

    @Test("Entities that grow without end, and elements that use each other, end in an error or a picture at once")
    func bombs() throws {
        let laughs = (1...12).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }.joined()
        let entities =
            "<!DOCTYPE svg [<!ENTITY e0 'ha'>\(laughs)]>" + SVGMaker.document("width='9' height='9'", "<text>&e12;</text>")
        let uses =
            "<g id='u0'><rect width='1' height='1'/></g>"
            + (1...30).map { "<g id='u\($0)'><use xlink:href='#u\($0 - 1)'/><use xlink:href='#u\($0 - 1)'/></g>" }.joined()
        let nested = String(repeating: "<g opacity='.9'>", count: 100_000) + String(repeating: "</g>", count: 100_000)
        let circle = "<g id='x'><use xlink:href='#x'/></g>"
        for text in [
            entities, SVGMaker.document("width='9' height='9'", uses), SVGMaker.document("width='9' height='9'", nested),
            SVGMaker.document("width='9' height='9'", circle),
        ] {
            let path = try SVGMaker.write(text, "a.svg", in: directory)
            do {
                _ = try Probe.facts(ofFile: path)
            } catch {
                #expect(error.code == .damaged || error.code == .overLimit, "\(error)")
            }
        }
    }

    @Test("A packed file that grows beyond the limit, and one that is too large, are refused")
    func packed() async throws {
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)' && (echo \"<svg xmlns='http://www.w3.org/2000/svg'>\"; head -c 300000000 /dev/zero | tr '\\0' ' ') | gzip -1"
                + " > bomb.svgz; head -c 20000 /dev/urandom > noise; (printf '<svg>'; head -c 17000000 /dev/zero | tr '\\0' ' ') > large.svg"
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        for (name, words) in [
            ("bomb.svgz", "is an SVG of more than \(SVGDrawing.byteLimit) bytes; simplify it, or convert it to PNG"),
            ("large.svg", " bytes; simplify it to \(SVGDrawing.byteLimit), or convert it to PNG"),
        ] {
            let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: directory.file(name)) }
            #expect(error.code == .overLimit && error.message.contains(words), "\(name): \(error.message)")
        }
    }

    @Test("A packed drawing whose data are damaged, and one that librsvg does not draw, are refused with what to do")
    func undrawable() throws {
        let packed = try #require(throws: TextRenderingError.self) {
            try SVGDrawing([0x1F, 0x8B, 8] + [UInt8](repeating: 0xFF, count: 60), subject: "a.svgz")
        }
        #expect(packed.code == .malformedDrawing && packed.subject == "a.svgz")
        #expect(packed.message == "is damaged: its gzip data cannot be unpacked; copy it again")
        // Each group shows the one before it twice, so that the last one would show a thousand million.
        let groups = (1...30).map { "<g id='u\($0)'><use xlink:href='#u\($0 - 1)'/><use xlink:href='#u\($0 - 1)'/></g>" }
        let text = SVGMaker.document(
            "width='9' height='9'", "<g id='u0'><rect width='1' height='1'/></g>" + groups.joined())
        let drawing = try SVGDrawing(Array(text.utf8), subject: "a.svg")
        let drawn = try #require(throws: TextRenderingError.self) {
            try drawing.pixels(size: FrameSize(width: 9, height: 9), subject: "a.svg")
        }
        #expect(drawn.code == .malformedDrawing && drawn.message.hasPrefix("is an SVG that cannot be drawn ("), "\(drawn)")
        #expect(drawn.message.hasSuffix("); simplify it, or convert it to PNG"), "\(drawn)")
    }

    @Test("Files, hosts and other documents that a drawing names are not read; pictures that it contains are drawn")
    func references() async throws {
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)' && /usr/bin/python3 -c \"from PIL import Image; Image.new('RGB', (8, 8), (255, 0, 0)).save('red.png')\""
                + " && base64 -w0 red.png")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let file = directory.file("red.png")
        try SVGMaker.write(
            SVGMaker.document("width='9' height='9'", "<rect id='r' width='9' height='9'/>"), "b.svg", in: directory)
        for name in [file, "file://\(file)", "red.png", "./red.png", "http://127.0.0.1:9/red.png"] {
            let image = SVGMaker.document("width='9' height='9'", "<image xlink:href='\(name)' width='9' height='9'/>")
            #expect(try pixels(image).allSatisfy { $0 == 0 }, "\(name)")
        }
        for body in [
            "<use xlink:href='\(directory.file("b.svg"))#r'/>", "<use xlink:href='b.svg#r'/>",
            "<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='b.svg'/>",
        ] {
            #expect(try pixels(SVGMaker.document("width='9' height='9'", body)).allSatisfy { $0 == 0 }, "\(body)")
        }
        let entity = "<!DOCTYPE svg [<!ENTITY f SYSTEM 'file://\(directory.file("b.svg"))'>]>"
        if let drawn = try? pixels(entity + SVGMaker.document("width='9' height='9'", "&f;")) {
            #expect(drawn.allSatisfy { $0 == 0 })
        }
        let inside = try pixels(
            SVGMaker.document(
                "width='8' height='8'", "<image xlink:href='data:image/png;base64,\(outcome.output)' width='8' height='8'/>"))
        #expect(Array(inside[0..<4]) == [255, 0, 0, 255])
    }

    @Test("Drawing that takes too long is stopped, with an error")
    func slow() throws {
        let filters =
            "<filter id='f'><feTurbulence baseFrequency='.1' numOctaves='200'/></filter><rect width='2000' height='2000' filter='url(#f)'/>"
        let drawing = try SVGDrawing(
            Array(SVGMaker.document("width='2000' height='2000'", filters).utf8), subject: "slow.svg")
        let error = try #require(throws: TextRenderingError.self) {
            try drawing.pixels(size: FrameSize(width: 2000, height: 2000), subject: "slow.svg", timeLimit: 0.3)
        }
        #expect(error.code == .overLimit && error.message.contains("slow") == false)
        #expect(error.message.hasSuffix(" s of processor time to draw; simplify it, or convert it to PNG"))
    }

    @Test("A drawing with flipped or missing bytes is read or refused", arguments: SVGMaker.documents.indices)
    func flipped(_ index: Int) throws {
        let whole = Array(SVGMaker.documents[index].text.utf8)
        var random = RandomNumbers(seed: UInt64(index))
        for round in 0..<40 {
            var bytes = whole
            for _ in 0..<(1 + round % 6) {
                bytes[Int.random(in: 70..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 4 == 0 { bytes = Array(bytes.prefix(Int.random(in: 5..<bytes.count, using: &random))) }
            let path = directory.file("flipped.svg")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do {
                let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
                _ = try FrameReader(source).frame(at: .zero)
            } catch {
                #expect(error.failureClass == .input, "\(error)")
            }
        }
    }
}
