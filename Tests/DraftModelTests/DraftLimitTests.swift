import DraftModel
import TestSupport
import Testing

@Suite("Limits on the size of a draft")
struct DraftLimitTests {
    /// A limit, a draft with a given number of the limited things, and the path at which excess is reported.
    struct Limit: CustomTestStringConvertible {
        var testDescription: String
        var number: Int
        var path: String
        var code = DraftDiagnostic.Code.outOfRange
        var draft: @Sendable (Int) -> String
    }

    private static func list(_ count: Int, _ element: String) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    private static func text(_ bytes: Int) -> String { "\"" + String(repeating: "x", count: bytes) + "\"" }

    private static func solid(_ more: String = "") -> String {
        ##"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "solid", "color": "#000000"}\##(more)}"##
    }

    private static func withLayer(_ source: String) -> String {
        DraftText.with(#""layers": [{"timeRange": {"start": 0, "duration": 1}, "source": \#(source)}]"#)
    }

    private static func curve(_ keys: Int, _ keyPath: String = "opacity") -> String {
        let times = (0..<keys).map(String.init).joined(separator: ",")
        return #"{"keyPath": "\#(keyPath)", "keyTimes": [\#(times)], "values": \#(list(keys, "1"))}"#
    }

    private static func nested(_ count: Int, around layer: String = solid()) -> String {
        let opening = #"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "group", "layers": ["#
        return String(repeating: opening, count: count) + layer + String(repeating: "]}}", count: count)
    }

    static let limits: [Limit] = [
        Limit(testDescription: "clips", number: DraftLimits.clips, path: "mainTrackClips") {
            #"{"version": 1, "mainTrackClips": \#(list($0, #"{"type": "av", "url": "a"}"#))}"#
        },
        Limit(testDescription: "audio clips", number: DraftLimits.audioClips, path: "audioClips") {
            DraftText.with("\"audioClips\": " + list($0, #"{"url": "a"}"#))
        },
        Limit(testDescription: "layers", number: DraftLimits.layers, path: "layers") {
            DraftText.with("\"layers\": " + list($0, solid()))
        },
        Limit(
            testDescription: "layers with those of a group and masks", number: DraftLimits.layers / 2,
            path: "layers[0].source.layers[\(DraftLimits.layers / 2 - 1)].mask"
        ) {
            // The group and its layers with one mask each. At the limit the last layer has no mask.
            let masked = solid(##", "mask": {"source": {"type": "solid", "color": "#000000"}}"##)
            let last = $0 > DraftLimits.layers / 2 ? [masked] : [solid()]
            let inside = Array(repeating: masked, count: DraftLimits.layers / 2 - 1) + last
            return withLayer(#"{"type": "group", "layers": [\#(inside.joined(separator: ","))]}"#)
        },
        Limit(
            testDescription: "groups inside one another", number: DraftLimits.nesting,
            path: "layers[0]" + String(repeating: ".source.layers[0]", count: DraftLimits.nesting) + ".source.layers"
        ) { DraftText.with("\"layers\": [\(nested($0))]") },
        Limit(
            testDescription: "a mask inside groups", number: DraftLimits.nesting,
            path: "layers[0]" + String(repeating: ".source.layers[0]", count: DraftLimits.nesting) + ".mask"
        ) {
            let masked = solid(##", "mask": {"source": {"type": "solid", "color": "#000000"}}"##)
            return DraftText.with("\"layers\": [\(nested($0 - 1, around: masked))]")
        },
        Limit(testDescription: "effects", number: DraftLimits.effects, path: "effects") {
            DraftText.with("\"effects\": " + list($0, #"{"type": "freeze", "duration": 1}"#))
        },
        Limit(testDescription: "operations of a clip", number: DraftLimits.operations, path: "mainTrackClips[0].filters") {
            DraftText.withClip("\"filters\": " + list($0, #"{"type": "contrast"}"#))
        },
        Limit(
            testDescription: "operations of a draft", number: DraftLimits.allOperations,
            path: "mainTrackClips[\(DraftLimits.allOperations / 50)].filters"
        ) { count in
            // 50 operations on each clip, and the rest on the last one.
            let parts = Array(repeating: 50, count: count / 50) + (count % 50 > 0 ? [count % 50] : [])
            let clips = parts.map { #"{"type": "av", "url": "a", "filters": \#(list($0, #"{"type": "contrast"}"#))}"# }
            return #"{"version": 1, "mainTrackClips": [\#(clips.joined(separator: ","))]}"#
        },
        Limit(
            testDescription: "parameters of an operation", number: DraftLimits.operationParameters,
            path: "mainTrackClips[0].filters[0]"
        ) { count in
            let fields = (0..<count).map { "\"p\($0)\": 1" }.joined(separator: ",")
            return DraftText.withClip("\"filters\": [{\"type\": \"contrast\", \(fields)}]")
        },
        Limit(
            testDescription: "parameters of a plug-in", number: DraftLimits.operationParameters,
            path: "mainTrackClips[0].filters[0].parameters"
        ) { count in
            let fields = (0..<count).map { "\"p\($0)\": 1" }.joined(separator: ",")
            return DraftText.withClip(
                "\"filters\": [{\"type\": \"externalFilter\", \"name\": \"x\", \"parameters\": {\(fields)}}]")
        },
        Limit(
            testDescription: "animations of a clip", number: DraftLimits.animations, path: "mainTrackClips[0].animations"
        ) { DraftText.withClip("\"animations\": " + list($0, curve(1))) },
        Limit(
            testDescription: "keys of an animation", number: DraftLimits.keyframes,
            path: "mainTrackClips[0].animations[0].keyTimes"
        ) { DraftText.withClip("\"animations\": [\(curve($0))]") },
        Limit(testDescription: "keys of a speed", number: DraftLimits.speedKeys, path: "mainTrackClips[0].speed.keyTimes") {
            let times = (0..<$0).map(String.init).joined(separator: ",")
            return DraftText.withClip(#""speed": {"keyTimes": [\#(times)], "values": \#(list($0, "1"))}"#)
        },
        Limit(testDescription: "volume ramps", number: DraftLimits.keyframes, path: "mainTrackClips[0].volumeRamps") { count in
            let ramps = (0..<count).map { #"{"timeRange": {"start": \#($0), "duration": 1}, "startVolume": 1, "endVolume": 1}"# }
            return DraftText.withClip("\"volumeRamps\": [\(ramps.joined(separator: ","))]")
        },
        Limit(
            testDescription: "keys of a draft", number: DraftLimits.allKeyframes,
            path: "layers[\(DraftLimits.allKeyframes / 1000)].animations[0]"
        ) { count in
            // 1000 keyframes on each layer, and the rest on the last one.
            let parts = Array(repeating: 1000, count: count / 1000) + (count % 1000 > 0 ? [count % 1000] : [])
            return DraftText.with(
                "\"layers\": [\(parts.map { solid(", \"animations\": [\(curve($0))]") }.joined(separator: ","))]")
        },
        Limit(
            testDescription: "volume ramps of a draft", number: DraftLimits.allKeyframes,
            path: "audioClips[\(DraftLimits.allKeyframes / 10_000)].volumeRamps"
        ) { count in
            // 10 000 ramps on each audio clip, and the rest on the last one.
            let parts = Array(repeating: 10_000, count: count / 10_000) + (count % 10_000 > 0 ? [count % 10_000] : [])
            let clips = parts.map { number in
                let ramps = (0..<number).map {
                    #"{"timeRange": {"start": \#($0), "duration": 1}, "startVolume": 1, "endVolume": 1}"#
                }
                return #"{"url": "a", "volumeRamps": [\#(ramps.joined(separator: ","))]}"#
            }
            return DraftText.with("\"audioClips\": [\(clips.joined(separator: ","))]")
        },
        Limit(testDescription: "bytes of a text", number: DraftLimits.textBytes, path: "layers[0].source.text") {
            withLayer("{\"type\": \"text\", \"text\": \(text($0))}")
        },
        Limit(
            testDescription: "bytes of a text for a plug-in", number: DraftLimits.textBytes,
            path: "mainTrackClips[0].filters[0].parameters.t"
        ) {
            DraftText.withClip(
                "\"filters\": [{\"type\": \"externalFilter\", \"name\": \"x\", \"parameters\": {\"t\": \(text($0))}}]")
        },
        Limit(
            testDescription: "bytes of all texts", number: DraftLimits.allTextBytes,
            path: "layers[\(DraftLimits.allTextBytes / 10_000)].source.text"
        ) { count in
            let parts = Array(repeating: 10_000, count: count / 10_000) + (count % 10_000 > 0 ? [count % 10_000] : [])
            let layers = parts.map {
                #"{"timeRange": {"start": 0, "duration": 1}, "source": {"type": "text", "text": \#(text($0))}}"#
            }
            return DraftText.with("\"layers\": [\(layers.joined(separator: ","))]")
        },
        Limit(testDescription: "bytes of a shape's path", number: DraftLimits.shapePathBytes, path: "layers[0].source.path") {
            withLayer(#"{"type": "shape", "shape": "path", "size": {"width": 9, "height": 9}, "path": \#(text($0))}"#)
        },
        Limit(testDescription: "bytes of a URL", number: DraftLimits.urlBytes, path: "cover.url") {
            DraftText.with("\"cover\": {\"url\": \(text($0))}")
        },
        Limit(testDescription: "bytes of an id", number: DraftLimits.nameBytes, path: "mainTrackClips[0].id") {
            DraftText.withClip("\"id\": \(text($0))")
        },
        Limit(testDescription: "bytes of a font's name", number: DraftLimits.nameBytes, path: "layers[0].source.font") {
            withLayer("{\"type\": \"text\", \"text\": \"x\", \"font\": \(text($0))}")
        },
        Limit(
            testDescription: "bytes of an operation's name", number: DraftLimits.nameBytes,
            path: "mainTrackClips[0].filters[0].type"
        ) { DraftText.withClip("\"filters\": [{\"type\": \(text($0))}]") },
        Limit(
            testDescription: "bytes of a tag's name", number: DraftLimits.nameBytes,
            path: "metadata." + String(repeating: "x", count: DraftLimits.nameBytes + 1)
        ) { DraftText.with("\"metadata\": {\(text($0)): \"\"}") },
        Limit(
            testDescription: "bytes of a plug-in's name", number: DraftLimits.nameBytes, path: "mainTrackClips[0].filters[0].name"
        ) { DraftText.withClip("\"filters\": [{\"type\": \"externalFilter\", \"name\": \(text($0))}]") },
        Limit(
            testDescription: "bytes of a parameter's name", number: DraftLimits.nameBytes, path: "mainTrackClips[0].filters[0]"
        ) { DraftText.withClip("\"filters\": [{\"type\": \"contrast\", \(text($0)): 1}]") },
        Limit(testDescription: "bytes of the title", number: DraftLimits.titleBytes, path: "title") {
            DraftText.with("\"title\": \(text($0))")
        },
        Limit(testDescription: "bytes of a chapter's title", number: DraftLimits.titleBytes, path: "chapters[0].title") {
            DraftText.with("\"chapters\": [{\"start\": 0, \"title\": \(text($0))}]")
        },
        Limit(testDescription: "bytes of metadata", number: DraftLimits.metadataBytes, path: "metadata") {
            DraftText.with("\"metadata\": {\"comment\": \(text($0 - 7))}")
        },
        Limit(testDescription: "chapters", number: DraftLimits.chapters, path: "chapters") { count in
            let chapters = (0..<count).map { #"{"start": \#($0), "title": "x"}"# }
            return DraftText.with("\"chapters\": [\(chapters.joined(separator: ","))]")
        },
        Limit(testDescription: "fonts", number: DraftLimits.fonts, path: "fonts") {
            DraftText.with("\"fonts\": " + list($0, #"{"url": "a"}"#))
        },
        Limit(testDescription: "parameters", number: DraftLimits.parameters, path: "parameters") { count in
            DraftText.with("\"parameters\": {\((0..<count).map { "\"p\($0)\": 1" }.joined(separator: ","))}")
        },
        Limit(testDescription: "bytes that merge fields add", number: DraftLimits.filledInBytes / 4096, path: "metadata.last") {
            // Each value has 4096 bytes. Above the limit it is used once more.
            let value = text(4096)
            let all = String(repeating: "{{v}}", count: DraftLimits.filledInBytes / 4096)
            let last = $0 > DraftLimits.filledInBytes / 4096 ? #", "last": "{{v}}""# : ""
            return
                #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a.mp4"}], "metadata": {"all": "\#(all)"\#(last)}, "parameters": {"v": \#(value)}}"#
        },
        Limit(testDescription: "bytes of a member's name", number: DraftLimits.memberNameBytes, path: "", code: .syntax) {
            DraftText.with("\"parameters\": {\(text($0)): 1}")
        },
        Limit(testDescription: "arrays inside one another", number: DraftLimits.jsonDepth, path: "", code: .syntax) {
            // The document and its parameters are the first two levels.
            let depth = $0 - 2
            return DraftText.with(
                "\"parameters\": {\"a\": " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}")
        },
    ]

    @Test("A draft at a limit is read, and one above it is refused with the path and the limit", arguments: limits)
    func limit(_ limit: Limit) throws {
        func faults(_ number: Int) -> [DraftDiagnostic] {
            Draft.read(limit.draft(number)).diagnostics.filter { $0.path == limit.path && $0.code == limit.code }
        }
        // A draft at one limit may have other faults; for example, merge fields make a text too long.
        #expect(faults(limit.number) == [])
        let fault = try #require(
            faults(limit.number + 1).first, "\(Draft.read(limit.draft(limit.number + 1)).diagnostics.prefix(3))")
        #expect(faults(limit.number + 1).count == 1)
        #expect(fault.message.contains { $0.isNumber }, "\(fault.message)")
    }

    @Test("An unknown name longer than 64 letters gets no suggestion")
    func guesses() {
        func message(_ name: String) -> String { Draft.read(DraftText.with("\"\(name)\": 1")).diagnostics.first?.message ?? "" }
        #expect(message("creationTimes").contains("'creationTime'"))
        let long = String(repeating: "creationTime", count: 70)
        #expect(message(long) == "is not a known field")
    }

    @Test("1000 diagnostics are listed and the rest counted, and errors come before warnings")
    func manyFaults() throws {
        let fields = (0..<1_500).map { "\"unknown\($0)\": 1" }.joined(separator: ",")
        let found = Draft.read(DraftText.with(fields)).diagnostics
        #expect(found.count == DraftLimits.diagnostics + 1)
        let last = try #require(found.last)
        #expect((last.code, last.severity, last.omitted) == (.more, .error, 500))
        #expect(last.line == "error: and 500 more; correct these to see the others")
        #expect(
            Draft.read(DraftText.with((0..<1_000).map { "\"unknown\($0)\": 1" }.joined(separator: ","))).diagnostics.count
                == 1_000)

        var list = DiagnosticList()
        for index in 0..<900 {
            list.append(DraftDiagnostic(path: "w\(index)", code: .shortenedRange, severity: .warning, message: "short"))
        }
        for index in 0..<200 { list.append(DraftDiagnostic(path: "e\(index)", code: .outOfRange, message: "far")) }
        #expect(list.all.filter { $0.severity == .error }.count == 200)
        #expect(list.all.count == DraftLimits.diagnostics + 1)
        #expect(list.all.last?.omitted == 100)
        #expect(list.all.last?.severity == .warning)
        // A truncated list that is added to another one keeps its count.
        var merged = DiagnosticList()
        for diagnostic in found { merged.append(diagnostic) }
        merged.append(DraftDiagnostic(path: "e", code: .outOfRange, message: "far"))
        #expect(merged.all.last?.omitted == 501)
        #expect(merged.errorCount == 1_501)
    }
}
