public import DraftModel
public import ExactTime
public import ExportPlan

/// Compiles a draft into a plan. Each pass is a pure function from one value to the next; this file is their list.
///
///     validate        what can be said without the media
///     (resolve)       the caller probes `SourceUse.all(in:)` and comes back with facts
///     place           where each clip stands on the timeline, exactly
///     lower           clips become instructions with layers, and audio inputs
///     plan            instructions become segments with content keys
///
/// Media facts come in as an argument, by the location that the draft names; nothing here reads a file.
public struct Compiler {
    public var settings: ExportSettings
    /// By `url` as the draft writes it. A source without facts has been reported by whoever resolved it.
    public var facts: [String: SourceFacts]

    public init(settings: ExportSettings, facts: [String: SourceFacts]) {
        self.settings = settings
        self.facts = facts
    }

    /// All passes.
    /// - Parameter reported: faults found while the draft was read and its sources resolved. They are merged with what
    ///   the passes find; places under a faulty one are not judged again.
    /// - Throws: `DraftError` with every diagnostic there is, where one of them is an error.
    public func compile(_ draft: Draft, reported: [DraftDiagnostic] = []) throws -> Compiled {
        let (composition, warnings) = try compose(draft, reported: reported)
        let plan = plan(composition, draft)
        guard plan.jobCount <= DraftLimits.jobs else {
            throw DraftError(
                warnings + [
                    DraftDiagnostic(
                        path: "", code: .outOfRange,
                        message: "the export would be \(plan.jobCount) jobs; \(DraftLimits.jobs) is the most",
                        remedy: "make the film shorter, or of fewer clips")
                ])
        }
        return Compiled(composition: composition, plan: plan, warnings: warnings)
    }

    /// What all passes make of a draft.
    public struct Compiled: Sendable {
        public var composition: Composition
        public var plan: RenderPlan
        /// What the draft's author should know, in the order in which it was found.
        public var warnings: [DraftDiagnostic]
    }

    /// Up to the composition.
    /// - Throws: `DraftError` with every diagnostic there is, where one of them is an error.
    public func compose(
        _ draft: Draft, reported: [DraftDiagnostic] = []
    ) throws -> (composition: Composition, warnings: [DraftDiagnostic]) {
        var diagnostics = Diagnostics(reported)
        // What is behind so many errors would be judged by what is not there.
        guard !diagnostics.isFull else { throw DraftError(diagnostics.all) }
        validate(draft, &diagnostics)
        checkSources(draft, facts, &diagnostics)
        checkPlugins(draft, facts: facts, &diagnostics)
        checkTags(draft, settings, &diagnostics)
        checkColorRange(draft, settings, facts, &diagnostics)
        checkUnheard(draft, facts, &diagnostics)
        warnOfCutSources(draft, facts, &diagnostics)
        let timeline = place(draft, facts: facts, &diagnostics)
        let format = decideFormat(draft, settings: settings, timeline: timeline, &diagnostics)
        if let timeline { checkFilmLimits(draft, timeline, format, facts, &diagnostics) }
        guard !diagnostics.hasErrors, let timeline, let format else { throw DraftError(diagnostics.all) }
        let composition = lower(draft, timeline: timeline, format: format, facts: facts)
        if settings.preset == .passthrough { checkPassthrough(draft, composition, settings, facts: facts, &diagnostics) }
        guard !diagnostics.hasErrors else { throw DraftError(diagnostics.all) }
        return (composition, diagnostics.warnings)
    }

    /// What speed, repeat and freeze effects make of the main track's time.
    /// - Throws: `DraftError` where the main track cannot be placed.
    public func timeEffects(of draft: Draft) throws -> TimeEffects {
        var diagnostics = Diagnostics([])
        guard let timeline = place(draft, facts: facts, &diagnostics) else { throw DraftError(diagnostics.all) }
        return timeline.timeEffects
    }

    /// From the composition on; cannot fail.
    public func plan(_ composition: Composition, _ draft: Draft) -> RenderPlan {
        var format = OutputFormat(settings: settings, draft: draft, frameRate: composition.frameRate)
        if let color = decideColor(draft, settings, facts) { format.keep(color) }
        let copy = settings.preset == .passthrough ? planCopy(composition, settings, format, facts: facts) : nil
        let video = copy?.edges ?? format.video.map { planVideoSegments(composition, encode: $0, facts: facts) } ?? []
        // A copied film that sounds of nothing but its source's silence has no sound to mix.
        let mixes = copy == nil || (copy?.film.copiesSound == false && !composition.audioInputs.isEmpty)
        let audio = mixes ? format.audio.map { planAudioSegments(composition, encode: $0, facts: facts) } ?? [] : []
        let bitrate = planBitrate(composition, video, format)
        return planStitch(
            composition, video: bitrate?.shared ?? video, audio: audio, bitrate: bitrate?.plan, copied: copy?.film,
            format: format)
    }
}
