import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan

extension SourceFacts {
    /// The probe results for all sources that this suite's drafts name.
    static func ofEverything(in draft: Draft) -> [String: SourceFacts] {
        var facts: [String: SourceFacts] = [
            "a": .film("a", size: FrameSize(width: 400, height: 300)), "b": .film("b", rate: FrameRate(25)),
            "silent": .film("silent", size: FrameSize(width: 400, height: 300), hasSound: false), "m": .sound("m"),
            "n": .sound("n"), "srt": .auxiliarySource("srt", "srt", .captions),
            "srt2": .auxiliarySource("srt2", "srt", .captions),
            "lut": .auxiliarySource("lut", "cube", .lookupTable), "lut2": .auxiliarySource("lut2", "cube", .lookupTable),
            "font": .auxiliarySource("font", "font", .font),
            "font2": .auxiliarySource("font2", "font", .font), "i": .picture("i"),
            "j": .picture("j", size: FrameSize(width: 320, height: 200)),
        ]
        for (name, kind) in [
            ("plasma", PluginKind.generator), ("plasma2", .generator), ("warp", .mixer), ("warp2", .mixer),
        ] {
            facts["plugin:\(name)"] = SourceFacts(
                contentHash: SourceFacts.hash(name), byteCount: 1, container: "frei0r", origin: .zero, video: nil, audio: nil,
                plugin: PluginFacts(
                    name: name, title: "", explanation: "", author: "",
                    parameters: ["part", "size"].map {
                        PluginFacts.Parameter(name: $0, kind: .number, explanation: "", default: nil)
                    }, kind: kind))
        }
        // Its streams 7 and 8 play only where they are chosen.
        var several = SourceFacts.film("several", size: FrameSize(width: 400, height: 300))
        several.streams = [(0, .video), (1, .audio), (7, .video), (8, .audio)].map {
            StreamFacts(index: $0, kind: $1, codec: "x")
        }
        several.video?.streamIndex = 0
        several.audio?.streamIndex = 1
        several.otherVideo = several.video.map { [$0] }
        several.otherVideo?[0].streamIndex = 7
        several.otherAudio = several.audio.map { [$0] }
        several.otherAudio?[0].streamIndex = 8
        several.tags = ["title": "Holiday"]
        facts["several"] = several
        // The answer to a font request depends on the request: another request gets another file.
        for use in SourceUse.all(in: draft) where use.need == .text {
            guard let request = use.fonts else { continue }
            var answer = SourceFacts.auxiliarySource(use.url, "font", .font)
            answer.auxiliaryKind = nil
            let file = FontFile(contentHash: SourceFacts.hash(request.font + request.files.joined()), name: request.font)
            answer.fonts = FontFacts(uses: Array(repeating: [file], count: max(1, request.texts.count)))
            facts[use.url] = answer
        }
        return facts
    }
}
