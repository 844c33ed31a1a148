import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import TestSupport
import Vocabulary

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A draft beside the facts of its sources: what the compiler's tests start from.
struct SampleDraft {
    var draft = Draft()
    var facts: [String: SourceFacts] = [:]
    var settings = ExportSettings()

    /// - Parameter facts: by the location that the draft names.
    init(_ clips: [MainTrackClip], facts: [String: SourceFacts]) {
        draft.mainTrackClips = clips
        self.facts = facts
    }

    /// From a draft's text; a fault in it is the test's own.
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

    /// What the compiler finds wrong.
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
    /// A film of which `start..<start + duration` plays; all of it without a duration.
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

    /// The same clip with changes.
    func with(_ change: (inout MainTrackClip) -> Void) -> MainTrackClip {
        var clip = self
        change(&clip)
        return clip
    }

    /// The same clip, overlapping the one before it.
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
    /// From and to in seconds.
    init(_ start: Rational, _ end: Rational) {
        self.init(from: MediaTime(start), to: MediaTime(end))
    }
}

/// The eight rates that films come in, as whole numbers over whole numbers.
let filmRates: [(Int64, Int64)] = [
    (24000, 1001), (24, 1), (25, 1), (30000, 1001), (30, 1), (50, 1), (60000, 1001), (60, 1),
]
