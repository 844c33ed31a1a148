import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Vocabulary
import FoundationEssentials

/// A draft with the facts of its sources, as input for the compiler's tests.
struct SampleDraft {
    var draft = Draft()
    var facts: [String: SourceFacts] = [:]
    var settings = ExportSettings()

    /// - Parameter facts: the facts by location, as the draft names it.
    init(_ clips: [MainTrackClip], facts: [String: SourceFacts]) {
        draft.mainTrackClips = clips
        self.facts = facts
    }

    /// A draft from JSON. The test itself is wrong if the JSON is faulty.
    init(json: String, facts: [String: SourceFacts]) throws {
        draft = try JSONDecoder().decode(Draft.self, from: Data(json.utf8))
        self.facts = facts
    }

    var compiler: Compiler { Compiler(settings: settings, facts: facts) }

    func compose() throws -> Composition { try compiler.compose(draft).composition }

    func compile() throws -> (composition: Composition, plan: RenderPlan) {
        let compiled = try compiler.compile(draft)
        return (compiled.composition, compiled.plan)
    }

    func plan() throws -> RenderPlan { try compile().plan }

    /// The compiler's diagnostics.
    func diagnostics(reported: [DraftDiagnostic] = []) -> [DraftDiagnostic] {
        do {
            _ = try compiler.compose(draft, reported: reported)
            return []
        } catch let error as DraftError {
            return error.diagnostics
        } catch {
            return [DraftDiagnostic(path: "", code: .syntax, message: "not a draft's fault: \(error)")]
        }
    }

    func faults() -> [Fault] { diagnostics().map { Fault($0.path, $0.code) } }
}

extension MainTrackClip {
    /// A video clip that plays `start..<start + duration` of its source, or all of it without a duration.
    static func film(_ url: String, from start: Rational = .zero, lasting duration: Rational? = nil) -> MainTrackClip {
        var clip = MainTrackClip(type: .av, url: url)
        clip.timeRange = duration.map { TimeRange(start: MediaTime(start), duration: MediaTime($0)) }
        return clip
    }

    static func image(_ url: String, lasting duration: Rational) -> MainTrackClip {
        var clip = MainTrackClip(type: .image, url: url)
        clip.duration = MediaTime(duration)
        return clip
    }

    /// The same clip after a change.
    func with(_ change: (inout MainTrackClip) -> Void) -> MainTrackClip {
        var clip = self
        change(&clip)
        return clip
    }

    /// The same clip with a transition from the one before.
    func joined(by kind: TransitionKind = .dissolve, _ duration: Rational, audio: DraftModel.Transition.Audio? = nil)
        -> MainTrackClip
    {
        with { $0.transition = DraftModel.Transition(type: kind, duration: MediaTime(duration), audio: audio) }
    }
}

extension AudioClip {
    static func sound(_ url: String, _ change: (inout AudioClip) -> Void = { _ in }) -> AudioClip {
        var clip = AudioClip(url: url)
        change(&clip)
        return clip
    }
}

extension TimeRange {
    /// A range from a start to an end in seconds.
    init(_ start: Rational, _ end: Rational) {
        self.init(from: MediaTime(start), to: MediaTime(end))
    }
}

/// The eight usual frame rates of films, as numerators and denominators.
let filmRates: [(Int64, Int64)] = [
    (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1),
]
