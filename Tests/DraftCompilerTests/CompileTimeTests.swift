import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import Testing
import FoundationEssentials
import Glibc

/// A draft of variable length with content that would take quadratic time in a careless pass.
struct LongDraft: CustomTestStringConvertible {
    var testDescription: String
    /// The two measured lengths. The second is eight times the first and should take about eight times as long.
    var lengths = (1_000, 8_000)
    /// Whether the draft is valid and compiles to a plan.
    var isValid = true
    var document: @Sendable (Int) -> String

    private static func draft(_ clips: [String], _ more: String = "") -> String {
        #"{"version": 1, "videoSize": {"width": 640, "height": 360}, "mainTrackClips": [\#(clips.joined(separator: ","))]\#(more)}"#
    }

    private static func clips(_ count: Int, _ more: @escaping (Int) -> String = { _ in "" }) -> [String] {
        (0..<count).map { #"{"type": "av", "url": "a", "timeRange": {"start": \#($0 % 7), "duration": 2}\#(more($0))}"# }
    }

    private static func layers(_ count: Int, seconds: Int, _ source: (Int) -> String, _ more: String = "") -> String {
        let layers = (0..<count).map {
            #"{"timeRange": {"start": \#($0 * seconds), "duration": \#(seconds)}, "source": \#(source($0))\#(more)}"#
        }
        return #", "layers": [\#(layers.joined(separator: ","))]"#
    }

    private static func text(_ index: Int) -> String { #"{"type": "text", "text": "caption \#(index)"}"# }

    static let all = [
        LongDraft(testDescription: "an unknown field in each clip", isValid: false) {
            draft(clips($0) { _ in #", "volum": 1"# })
        },
        LongDraft(testDescription: "a fault of the compiler in each clip", isValid: false) {
            draft(clips($0) { _ in #", "filters": [{"type": "contrsat"}]"# })
        },
        LongDraft(testDescription: "an id that all clips have", isValid: false) { draft(clips($0) { _ in #", "id": "x""# }) },
        LongDraft(testDescription: "an empty location in each clip", isValid: false) { count in
            draft((0..<count).map { _ in #"{"type": "av", "url": ""}"# })
        },
        LongDraft(testDescription: "clips") { draft(clips($0)) },
        LongDraft(testDescription: "clips with transitions", lengths: (750, 6_000)) {
            draft(clips($0) { $0 == 0 ? "" : #", "transition": {"type": "dissolve", "duration": 0.5}"# })
        },
        LongDraft(testDescription: "clips at many speeds, of a long source") { count in
            draft(
                (0..<count).map {
                    #"{"type": "av", "url": "long", "timeRange": {"start": \#($0), "duration": 7}, "speed": 1.75}"#
                })
        },
        LongDraft(testDescription: "clips under captions", lengths: (500, 4_000)) {
            draft(clips($0), layers($0, seconds: 2, text))
        },
        LongDraft(testDescription: "captions over one long clip", lengths: (500, 4_000)) {
            draft([#"{"type": "image", "url": "i", "duration": \#($0 * 5)}"#], layers($0, seconds: 5, text))
        },
        LongDraft(testDescription: "sounds beside one long clip") { count in
            let sounds = (0..<count).map {
                #"{"url": "m", "startTimeAtMainTrack": \#($0 * 5), "timeRange": {"start": 0, "duration": 5}}"#
            }
            return draft(
                [#"{"type": "image", "url": "i", "duration": \#(count * 5)}"#],
                #", "audioClips": [\#(sounds.joined(separator: ","))]"#)
        },
        LongDraft(testDescription: "repetitions of a loop with many volume ramps", lengths: (500, 4_000)) { count in
            let ramps = (0..<count).map {
                #"{"timeRange": {"start": \#($0), "duration": 1}, "startVolume": 0.5, "endVolume": \#($0 % 2)}"#
            }
            return draft(
                [#"{"type": "image", "url": "i", "duration": \#(count)}"#],
                #", "audioClips": [{"url": "m", "timeRange": {"start": 0, "duration": 0.5}, "loop": true, "volumeRamps": [\#(ramps.joined(separator: ","))]}]"#
            )
        },
        LongDraft(testDescription: "stretched clips under music that steps back") {
            draft(
                clips($0) { _ in #", "speed": 1.25"# },
                #", "audioClips": [{"url": "m", "loop": true, "duck": 0.3}, {"url": "m", "loop": true, "pitch": 1}]"#)
        },
        LongDraft(testDescription: "clips that a speed effect and a freeze go through") {
            draft(
                clips($0),
                #", "effects": [{"type": "speed", "speed": 2}, {"type": "freeze", "timeRangeAtMainTrack": {"start": 5, "duration": 1}, "duration": 1}]"#
            )
        },
        LongDraft(testDescription: "keys of a crop that moves") { count in
            let times = (0..<count).map { "\(Double($0) / 1000)" }.joined(separator: ",")
            let values = (0..<count).map { "\($0 % 100)" }.joined(separator: ",")
            return draft([
                #"{"type": "image", "url": "i", "duration": 10, "cropRect": {"x": 0, "y": 0, "width": 100, "height": 100}, "animations": [{"keyPath": "cropRect.x", "keyTimes": [\#(times)], "values": [\#(values)]}]}"#
            ])
        },
        LongDraft(testDescription: "merge fields") {
            draft(clips($0) { #", "id": "{{name}} \#($0)""# }, #", "parameters": {"name": "clip"}"#)
        },
    ]

    static let facts: [String: SourceFacts] = [
        "a": .film("a"), "i": .picture("i"), "m": .sound("m", seconds: Rational(20)),
        "long": .film("long", seconds: Rational(10_000)),
    ]

    /// The shortest time of several runs, in seconds, from the document's bytes to its plan or its diagnostics.
    func seconds(_ length: Int, times: Int) -> Double {
        let data = Data(document(length).utf8)
        var least = Double.infinity
        for _ in 0..<times {
            let start = LongDraft.threadTime()
            let isValid = compiles(data)
            least = min(least, LongDraft.threadTime() - start)
            #expect(isValid == self.isValid)
        }
        return least
    }

    private func compiles(_ data: Data) -> Bool {
        let (draft, faults) = Draft.read(data)
        guard let draft else { return false }
        // Some of these drafts are faulty on purpose.
        return (try? Compiler(settings: ExportSettings(), facts: LongDraft.facts).compile(draft, reported: faults)) != nil
    }

    /// The CPU time of this thread in seconds, so that other processes do not count.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

@Suite("Compile time", .serialized)
struct CompileTimeTests {
    @Test("Compiling a draft eight times as long takes at most sixteen times as long", arguments: LongDraft.all)
    func linear(_ draft: LongDraft) {
        let (short, long) = draft.lengths
        // Other processes share the caches of the machine, so a slow measurement is repeated.
        var growth = Double.infinity
        for _ in 0..<4 where growth > 16 {
            let (few, many) = (draft.seconds(short, times: 4), draft.seconds(long, times: 1))
            growth = min(growth, many / few)
            print("\(draft.testDescription): \(short) in \(few) s, \(long) in \(many) s")
        }
        #expect(growth <= 16)
    }

    @Test("Too many clips are one error, even if each clip has an unknown field")
    func manyClips() {
        let clips = Array(repeating: #"{"type": "av", "url": "a", "zzoom": 1}"#, count: 12_000).joined(separator: ",")
        let faults = Draft.read(Data(#"{"version": 1, "mainTrackClips": [\#(clips)]}"#.utf8)).diagnostics
        #expect(faults.map(\.path) == ["mainTrackClips"])
        #expect(faults.first?.message.contains("10000") == true)
    }
}
