package import DraftModel
package import ExactTime
package import ExportPlan

/// Compiles a draft into a plan. Each pass is a pure function from one value to the next, and this file lists them.
///
///     validate        checks that need no media
///     (resolve)       the caller probes `SourceUse.all(in:)` and returns the facts
///     place           the exact place of each clip on the timeline
///     lower           clips become instructions with layers, and audio inputs
///     plan            instructions become segments with content keys
///
/// The caller passes source facts as an argument, by the location that the draft names. No pass reads a file.
package struct Compiler: Sendable {
    package var settings: ExportSettings
    /// The facts by `url`, as the draft writes it. The caller has already reported every source without facts.
    package var facts: [String: SourceFacts]
    /// How the plan's film is previewed; nil for a film.
    package var preview: PreviewFormat?

    package init(settings: ExportSettings, facts: [String: SourceFacts]) {
        self.settings = settings
        self.facts = facts
    }

    /// Runs all passes.
    /// - Parameter reported: diagnostics from reading the draft and resolving its sources, with the document's paths.
    ///   They are merged with those of the passes; a place with a reported fault is not checked again.
    /// - Throws: `DraftError` with all diagnostics if one of them is an error.
    package func compile(_ draft: Draft, reported: [DraftDiagnostic] = []) throws -> Compiled {
        let (composition, warnings) = try compose(draft, reported: reported)
        let plan = plan(composition, draft)
        try checkJobs(plan, warnings)
        return Compiled(composition: composition, plan: plan, warnings: warnings)
    }

    /// Finds the same faults as `compile`. The plan, which takes a third of that time, is made only where the film has
    /// so many cuts that it may have too many jobs.
    /// - Parameter reported: as for `compile`.
    /// - Throws: the same errors as `compile`.
    package func check(
        _ draft: Draft, reported: [DraftDiagnostic] = []
    ) throws -> (composition: Composition, warnings: [DraftDiagnostic]) {
        let (composition, warnings) = try compose(draft, reported: reported)
        if settings.preset == .passthrough || mostJobs(composition, draft) > DraftLimits.jobs {
            try checkJobs(plan(composition, draft), warnings)
        }
        return (composition, warnings)
    }

    /// - Parameter warnings: the draft's warnings, which are told as well.
    /// - Throws: `DraftError` if the plan has more jobs than an export may have.
    private func checkJobs(_ plan: RenderPlan, _ warnings: [DraftDiagnostic]) throws {
        guard plan.jobCount > DraftLimits.jobs else { return }
        throw DraftError(
            warnings + [
                DraftDiagnostic(
                    path: "", code: .outOfRange,
                    message: "the export would have \(plan.jobCount) jobs; the limit is \(DraftLimits.jobs)",
                    remedy: "make the film shorter, or of fewer clips")
            ])
    }

    /// The result of all passes.
    package struct Compiled: Sendable {
        package var composition: Composition
        package var plan: RenderPlan
        /// Warnings for the draft's author, in the order in which they were found.
        package var warnings: [DraftDiagnostic]
    }

    /// Runs the passes up to the composition.
    /// - Throws: `DraftError` with all diagnostics if one of them is an error.
    package func compose(
        _ draft: Draft, reported: [DraftDiagnostic] = []
    ) throws -> (composition: Composition, warnings: [DraftDiagnostic]) {
        let wanted = settings.picture
        let settings = settings.ofComposition
        var diagnostics = Diagnostics(reported, of: draft)
        // With so many errors the draft is too incomplete for further checks.
        guard !diagnostics.isFull else { throw DraftError(diagnostics.all) }
        validate(draft, &diagnostics)
        checkSources(draft, facts, &diagnostics)
        checkPlugins(draft, facts: facts, &diagnostics)
        checkSoundPlugins(draft, settings, facts: facts, &diagnostics)
        checkTags(draft, settings, &diagnostics)
        checkSourceTags(draft, settings, facts, &diagnostics)
        checkColorRange(draft, settings, facts, &diagnostics)
        checkTransparency(draft, settings, &diagnostics)
        checkIneffectiveAudio(draft, facts, &diagnostics)
        checkMixFormat(draft, settings, &diagnostics)
        checkAudioTracks(draft, settings, &diagnostics)
        warnOfTruncatedSources(draft, facts, &diagnostics)
        let timeline = place(draft, facts: facts, &diagnostics)
        let format = decideFormat(draft, settings: settings, timeline: timeline, &diagnostics)
        if let timeline { checkFilmLimits(draft, timeline, format, facts, &diagnostics) }
        guard !diagnostics.hasErrors, let timeline, let format else { throw DraftError(diagnostics.all) }
        warnOfSources(draft, timeline, format, settings, facts, &diagnostics)
        warnOfUnseenLayers(draft, timeline, facts, &diagnostics)
        let composition = lower(
            draft, timeline: timeline, format: format, keepsTransparency: settings.keepsTransparency, facts: facts)
        checkPictures(composition, settings, &diagnostics)
        checkRenditions(composition, settings, &diagnostics)
        if let wanted { checkPicture(composition, wanted, &diagnostics) }
        checkFileSize(composition, draft, settings, &diagnostics)
        checkLevel(composition, settings, &diagnostics)
        if settings.preset == .passthrough { checkPassthrough(draft, composition, settings, facts: facts, &diagnostics) }
        guard !diagnostics.hasErrors else { throw DraftError(diagnostics.all) }
        return (composition, diagnostics.warnings)
    }

    /// The effect of speed, repetition and freeze effects on the main track's time.
    /// - Throws: `DraftError` if the main track cannot be placed.
    package func timeEffects(of draft: Draft) throws -> TimeEffects {
        var diagnostics = Diagnostics([], of: draft)
        guard let timeline = place(draft, facts: facts, &diagnostics) else { throw DraftError(diagnostics.all) }
        return timeline.timeEffects
    }

    /// At least as many jobs as the plan of a composition has that is not copied, and at most about three times as many.
    package func mostJobs(_ composition: Composition, _ draft: Draft) -> Int {
        let format = outputFormat(composition, draft)
        let pictures = format.video.map { countVideoSegments(composition, encode: $0, facts: facts) } ?? 0
        let tracks = format.audio == nil ? 0 : 1 + (composition.soundTracks?.count ?? 0)
        // With a number of bits to meet, each segment is also measured, and the bits are allocated once.
        let measured = 2 * pictures + 1
        let files = 1 + (SpriteIndex(composition, settings)?.sheetCount ?? 0)
        return measured + tracks * (mostAudioSegments(composition) + mostSoundtrackParts(composition)) + 1 + files
    }

    private func outputFormat(_ composition: Composition, _ draft: Draft) -> OutputFormat {
        let tagged = draft.takingSourceTags(settings, facts)
        var format = OutputFormat(settings: settings, draft: tagged, frameRate: composition.frameRate, facts: facts)
        if let color = decideColor(draft, settings, facts) { format.keep(color) }
        StreamLadder.apply(to: &format, composition.canvas, settings)
        preview?.apply(to: &format)
        return format
    }

    /// Runs the passes from the composition on. They cannot fail.
    package func plan(_ composition: Composition, _ draft: Draft) -> RenderPlan {
        let format = outputFormat(composition, draft)
        let copy = settings.preset == .passthrough ? planPassthrough(composition, settings, format, facts: facts) : nil
        let video =
            copy?.edges
            ?? format.video.map { planVideoSegments(composition, encode: $0, facts: facts, isPreview: format.isPreview) } ?? []
        // A copied film whose only sound is its source's own silence needs no mix.
        let mixes = copy == nil || (copy?.film.copiesSound == false && !composition.audioInputs.isEmpty)
        let audio =
            mixes
            ? format.audio.map {
                planAudioSegments(composition, composition.audioInputs, composition.soundGroups, encode: $0, facts: facts)
            } ?? [] : []
        // A copied film without a mix has no soundtrack: either its sound is copied, or its source is silent.
        let soundtrack =
            copy != nil && audio.isEmpty ? nil : format.audio.map { planSoundtrack(composition, audio, encode: $0, format) }
        let further = format.audio.flatMap { encode in
            composition.soundTracks?.dropFirst().map { track in
                let segments = planAudioSegments(composition, track.inputs, track.groups, encode: encode, facts: facts)
                return FurtherSoundtrack(segments: segments, plan: planSoundtrack(composition, segments, encode: encode, format))
            }
        }
        let bitrate = planBitrate(
            composition, video, sounds: (soundtrack?.artifacts ?? []) + (further ?? []).flatMap(\.plan.artifacts), format)
        return planStitch(
            composition, video: bitrate?.shared ?? video, audio: audio, soundtrack: soundtrack, further: further,
            bitrate: bitrate?.plan,
            copied: copy?.film, pictures: planPictures(composition, settings), format: format)
    }
}
