import ExactTime
import ExportPlan
import Media
import TestSupport
import Testing
import FoundationEssentials

/// Lottie animations as sources, compared with frames of rlottie that another program asked for.
@Suite struct LottieTests {
    private let directory: TemporaryDirectory

    init() async throws {
        directory = try TemporaryDirectory()
        try await LottieMaker.write(in: directory)
    }

    private func source(_ name: String) throws -> SourceReference {
        let path = directory.file("\(name).json")
        return SourceReference(facts: try Probe.facts(ofFile: path), path: path)
    }

    @Test("Every frame, forward, backwards and in random order, is rlottie's", arguments: LottieMaker.names)
    func frames(_ name: String) async throws {
        let source = try source(name)
        let video = try #require(source.facts.video)
        let wanted = try await LottieMaker.witness(source.path, width: 120, height: 80, in: directory)
        #expect(video.frameCount == wanted.count && wanted.count == LottieMaker.frameCount)
        #expect(source.facts.container == "lottie" && video.codec == "lottie" && video.hasAlpha && video.isAnimatedPicture)
        #expect(video.size == FrameSize(width: 120, height: 80) && !video.isStill && !video.isVariableFrameRate)
        let rate = try #require(FrameRate(name == "precomposition" ? Rational(30_000, 1001) : Rational(25)))
        #expect(video.frameRate == rate && video.duration == rate.time(ofFrame: 30))
        var random = RandomNumbers(seed: 3)
        let orders: [([Int], Bool)] = [
            (Array(0..<30), false), (Array((0..<30).reversed()), false), ((0..<30).shuffled(using: &random), false),
            ((0..<30).reversed(), true),
        ]
        for (order, reversed) in orders {
            let reader = try FrameReader(source)
            for index in order {
                // Backwards, the frame at a time is the one that starts before it.
                let time = rate.time(ofFrame: reversed ? index + 1 : index)
                let shown = try PillowFrames.seen(try reader.frame(at: time, reversed: reversed), video)
                #expect(SVGMaker.difference(shown, wanted[index]) <= 2, "frame \(index)")
            }
        }
        // Something moves.
        #expect(Set(wanted).count > 20)
    }

    @Test("An animation that is shown larger is drawn larger", arguments: LottieMaker.names)
    func views(_ name: String) async throws {
        let source = try source(name)
        let video = try #require(source.facts.video)
        let wanted = try await LottieMaker.witness(source.path, width: 480, height: 320, in: directory)
        let view = DrawnView.showing(.whole, at: FrameSize(width: 480, height: 320), of: video)
        let reader = try FrameReader(source, view: view)
        for index in [0, 14, 29] {
            let shown = try PillowFrames.seen(try reader.frame(at: video.frameRate.time(ofFrame: index)), video)
            #expect(SVGMaker.difference(shown, wanted[index]) <= 2, "frame \(index)")
        }
        // A part of it is cut out of the whole, which is drawn so large that the part has the wanted size.
        let half = Region(x: .zero, y: Rational(1, 2), width: Rational(1, 2), height: Rational(1, 2))
        let part = DrawnView.showing(half, at: FrameSize(width: 240, height: 100), of: video)
        #expect(part == DrawnView(size: FrameSize(width: 480, height: 320)))
    }

    private func changed(_ name: String, _ pairs: (String, String)...) throws -> String {
        var text = try String(contentsOfFile: directory.file("\(name).json"), encoding: .utf8)
        for (old, new) in pairs {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        return text
    }

    private func write(_ text: String) throws -> String {
        let path = directory.file("hostile.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(
        "The frame rate is exact, also where programs write a broadcast rate in decimals",
        arguments: [
            ("29.97", Rational(30_000, 1001)), ("29.9700012207031", Rational(30_000, 1001)), ("23.976", Rational(24_000, 1001)),
            ("59.94", Rational(60_000, 1001)), ("30.0000000000001", Rational(30)), ("12.5", Rational(25, 2)),
            ("60", Rational(60)),
        ])
    func rate(_ written: String, _ rate: Rational) throws {
        let path = try write(try changed("shapes", ("\"fr\": 25", "\"fr\": \(written)")))
        #expect(try Probe.facts(ofFile: path).video?.frameRate.framesPerSecond == rate)
    }

    @Test(
        "What cannot be drawn is refused with the reason",
        arguments: [
            ("\"w\": 120", "\"w\": 0.5", MediaErrorCode.damaged, "is damaged: its animation has no size"),
            ("\"w\": 120", "\"w\": -5", .damaged, "has no size"),
            ("\"w\": 120", "\"w\": 20000", .overLimit, "at most 16384"),
            ("\"op\": 30, \"w\"", "\"op\": 1e18, \"w\"", .overLimit, "1e18"),
            ("\"op\": 30, \"w\"", "\"op\": 30000, \"w\"", .overLimit, "20000"),
            ("\"op\": 30, \"w\"", "\"op\": -3, \"w\"", .damaged, "is damaged: it has no frame (ip "),
            (
                "\"ind\": 1", "\"ind\": 1e12", .overLimit,
                "is JSON with the number 1e12; Lottie animations are read with numbers up to "
            ),
            ("\"ind\": 1", "\"ind\": 9e9", .overLimit, "number 9e9"),
            ("\"fr\": 25", "\"fr\": 0", .damaged, "its frame rate is not between 0 and 1000"),
            (
                "\"fr\": 25", "\"fr\": \"x\"", .damaged,
                "is damaged: it is no valid Lottie animation (at fr); export it again from the program that made it"
            ),
            (
                "\"ty\": 4", "\"ty\": 5", .unknownFormat,
                "which are not drawn; convert them to shapes, remove them, or render the animation to a video"
            ), ("\"ty\": 4", "\"ty\": 2", .unknownFormat, "pictures"),
            ("\"ty\": 4", "\"ty\": 0, \"refId\": \"gone\"", .damaged, "is damaged: it lacks its composition 'gone'"),
            ("\"assets\": []", "\"assets\": [{\"id\": \"i\", \"u\": \"/etc/\", \"p\": \"passwd\"}]", .unknownFormat, "passwd"),
            (
                "\"assets\": []", "\"assets\": [{\"id\": \"i\", \"p\": \"data:image/png;base64,AAAA\"}]", .unknownFormat,
                "convert the picture to shapes, or render the animation to a video with transparency"
            ),
            (
                "\"it\": [", "\"it\": [{\"ty\": \"rp\", \"c\": {\"a\": 0, \"k\": 1e7}}, ", .overLimit,
                "has a repeater of more than 1000 copies"
            ),
            (
                "\"it\": [", "\"it\": [{\"ty\": \"rp\", \"c\": {\"a\": 1, \"k\": [{\"t\": 0, \"s\": [1e7]}]}}, ", .overLimit,
                "1000 copies"
            ),
            (
                "\"it\": [", "\"it\": [{\"ty\": \"rp\", \"c\": {\"k\": 900}}, {\"ty\": \"rp\", \"c\": {\"k\": 900}}, ",
                .overLimit,
                "layers and shapes, those of compositions counted for each use and those of repeaters for each copy"
            ),
            (
                "\"it\": [", "\"it\": [{\"ty\": \"st\", \"d\": [{\"n\": \"d\", \"v\": {\"k\": -5}}]}, ", .damaged,
                "is damaged: a stroke has a dash of negative length"
            ),
            (
                "\"it\": [",
                "\"it\": [{\"ty\": \"st\", \"d\": [{\"n\": \"d\", \"v\": {\"k\": [{\"s\": [3]}, {\"s\": [0.01]}]}}]}, ",
                .overLimit, "has a dashed stroke whose dash and gap together are shorter than 0.1 pixels"
            ),
            ("\"layers\": [", "\"layers\": 5, \"x\": [", .damaged, ""), ("\"fr\": 25,", "", .unknownFormat, "no w, h, fr"),
        ])
    func refused(_ old: String, _ new: String, _ code: MediaErrorCode, _ words: String) throws {
        let path = try write(try changed("shapes", (old, new)))
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error.code == code && error.message.contains(words), "\(error.code): \(error.message)")
    }

    @Test("An animation without a version, which rlottie needs, is refused with what to do")
    func unreadable() throws {
        let path = try write(try changed("shapes", ("\"v\": \"5.5.2\", ", "")))
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: path) }
        #expect(error.code == .damaged)
        #expect(
            error.message == "is a Lottie animation that rlottie cannot read; export it again from the program that made it")
    }

    @Test("Compositions that contain themselves, or each other again and again, are refused")
    func bombs() throws {
        let itself = try changed(
            "precomposition",
            (
                "\"assets\": [{\"id\": \"c\", \"layers\": [",
                "\"assets\": [{\"id\": \"c\", \"layers\": [{\"ty\": 0, \"refId\": \"c\"}, "
            ))
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: try write(itself)) }
        #expect(error.code == .damaged && error.message.contains("is damaged: its composition 'c' contains itself"))
        let chain = (1...30).map {
            "{\"id\": \"c\($0)\", \"layers\": [{\"ty\": 0, \"refId\": \"c\($0 - 1)\"}, {\"ty\": 0, \"refId\": \"c\($0 - 1)\"}]}"
        }
        let laughs = """
            {"v": "5", "fr": 25, "ip": 0, "op": 9, "w": 9, "h": 9, "layers": [{"ty": 0, "refId": "c30"}],
             "assets": [{"id": "c0", "layers": [{"ty": 3}]}, \(chain.joined(separator: ", "))]}
            """
        let many = try #require(throws: MediaError.self) { try Probe.facts(ofFile: try write(laughs)) }
        #expect(many.code == .overLimit && many.message.contains("layers"), "\(many.message)")
    }

    @Test("JSON that is a draft or something else, and a packed animation, are refused by what they are")
    func others() async throws {
        for (text, words) in [
            (#"{"version": 1, "mainTrackClips": []}"#, "is a draft"), (#"{"a": 1}"#, "no Lottie animation"),
            ("{}", "no Lottie animation"),
            ("{", "is damaged: it begins as JSON does, but is not valid JSON; export the animation again"),
            ("{" + String(repeating: "\"a\":{", count: 100_000), "not valid JSON"),
        ] {
            let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: try write(text)) }
            #expect(error.message.contains(words), "\(error.message)")
        }
        _ = try await PythonTool.run(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.argv[1] + "/a.lottie", "w")
            z.writestr("manifest.json", "{}"); z.write(sys.argv[1] + "/shapes.json", "animations/a.json"); z.close()
            """, [directory.path])
        let error = try #require(throws: MediaError.self) { try Probe.facts(ofFile: directory.file("a.lottie")) }
        #expect(error.code == .unknownFormat && error.message.contains("animations/"), "\(error.message)")
    }

    @Test("An animation with flipped or missing bytes is read or refused", arguments: LottieMaker.names)
    func flipped(_ name: String) throws {
        let whole = Array(try changed(name).utf8)
        var random = RandomNumbers(seed: 11)
        for round in 0..<60 {
            var bytes = whole
            for _ in 0..<(1 + round % 4) {
                bytes[Int.random(in: 1..<bytes.count, using: &random)] =
                    Array("0123456789.,[]{}\":-e ".utf8).randomElement(using: &random) ?? 0
            }
            if round % 6 == 0 { bytes = Array(bytes.prefix(Int.random(in: 2..<bytes.count, using: &random))) }
            let path = try write(String(decoding: bytes, as: UTF8.self))
            do {
                let source = SourceReference(facts: try Probe.facts(ofFile: path), path: path)
                let reader = try FrameReader(source)
                for index in [0, 15] { _ = try reader.frame(at: FrameRate(25).time(ofFrame: index)) }
            } catch {
                #expect(error.code != .internalFailure, "\(error)")
            }
        }
    }

    @Test("A layer with a matte and a single stroke, which rlottie leaves out, gives a warning")
    func singleMatte() throws {
        let path = try write(try changed("trim", ("\"ty\": 4", "\"ty\": 4, \"tt\": 1")))
        let damage = DamageLog()
        _ = try FrameReader(SourceReference(facts: try Probe.facts(ofFile: path), path: path), damage: damage).frame(at: .zero)
        #expect(damage.warnings.map(\.code) == [.undrawnInAnimation])
    }

    @Test("Effects, expressions and merged paths, which rlottie passes over, give a warning")
    func warning() throws {
        for (old, new, isWarned) in [
            ("\"ty\": 4", "\"ty\": 4, \"tt\": 1", false),
            ("\"ddd\": 0, \"ty\": 4", "\"ddd\": 1, \"ty\": 4", true), ("\"ty\": 4", "\"ty\": 4, \"ef\": [{\"ty\": 5}]", true),
            ("\"it\": [", "\"it\": [{\"ty\": \"mm\", \"mm\": 1}, ", true), ("\"ty\": 4", "\"ty\": 4, \"ef\": []", false),
            ("\"nm\": \"l\"", "\"nm\": \"l\", \"x\": \"var $bm_rt; $bm_rt = 5;\"", true),
        ] {
            let path = try write(try changed("shapes", (old, new)))
            let damage = DamageLog()
            _ = try FrameReader(SourceReference(facts: try Probe.facts(ofFile: path), path: path), damage: damage).frame(
                at: .zero)
            #expect(damage.warnings.map(\.code) == (isWarned ? [.undrawnInAnimation] : []), "\(new)")
        }
    }
}
