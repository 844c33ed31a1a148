import ArgumentParser
import ArtifactStore
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan

/// `spool plan`: lists the jobs of an export, which artifacts the cache already has, and how long the others would take.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show the segments of an export, their keys, which of them the cache has, and how long it will take.",
        discussion: "With --against, it shows which of them an edit changes, and how long the export after it will take.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Explain below each segment how its pictures or samples are made.")
    var explain = false

    @Option(
        help: ArgumentHelp(
            "Another draft, such as the one before an edit: only what its export did not make counts as new.",
            valueName: "draft"))
    var against: String?

    @Flag(help: "Print the whole plan as JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work, selection: clips.selection)
        let artifacts =
            if let against { KnownArtifacts(madeBy: try await plan(of: against)) } else { KnownArtifacts(in: prepared.store) }
        let prediction = try PlanPrediction(prepared, processes: work.slots, where: artifacts.has)
        let comparison = try against.map { try PlanComparison(prepared, with: $0, artifacts) }
        func printJSON(_ plan: some Encodable) throws {
            let predicted = WithComparison(WithPrediction(plan, prediction), comparison)
            try Terminal.printJSON(WithWarnings(predicted, prepared.warnings))
        }
        guard explain else {
            return try json ? printJSON(prepared.plan) : printPlan(prepared, prediction, artifacts, comparison)
        }
        let explanation = try await prepared.explanation()
        if json {
            try printJSON(ExplainedPlan(prepared.plan, explanation))
        } else {
            try printPlan(prepared, prediction, artifacts, comparison, explanation)
        }
        let failures = explanation.failures
        failures.flatMap(\.lines).uniqued.forEach(Terminal.error)
        // The highest exit code of all failures counts; errors of the draft have the lowest one (65).
        if let status = failures.map(\.status).max() { throw ExitCode(status) }
    }

    /// The plan of another draft, with the same options.
    /// - Throws: `CommandFailure` that names the draft.
    private func plan(of other: String) async throws -> RenderPlan {
        do {
            let (data, directory) = try DraftPreparation.readDraft(other)
            return try await DraftPreparation(
                data, in: directory, parameters: try draft.export.parameterValues(),
                settings: try draft.export.settingValues(), allowedDirectories: draft.allowedDirectories,
                remotes: try draft.remote.policy(), work, selection: clips.selection
            ).plan
        } catch var failure as CommandFailure {
            failure.lines.append("this is about '\(other)', which --against names")
            throw failure
        }
    }

    private func printPlan(
        _ prepared: DraftPreparation, _ prediction: PlanPrediction, _ artifacts: KnownArtifacts,
        _ comparison: PlanComparison?, _ explanation: PlanExplanation? = nil
    ) throws {
        let text = ExplanationText(names: prepared.sourceNames)
        let times = prediction.phrases
        func time(_ key: ArtifactKey) -> String { times[key].map { ", \($0)" } ?? "" }
        func state(_ key: ArtifactKey) throws -> String {
            try artifacts.has(key) ? artifacts.phrase : "to render" + time(key)
        }
        func explain(_ outcome: Result<Explanation, CommandFailure>?) {
            switch outcome {
            case .success(let explanation): Terminal.print(lines: text.indented(text.lines(of: explanation)))
            case .failure: Terminal.print("  unknown; see the error below")
            case nil: break
            }
        }
        for segment in prepared.plan.bitrate?.measures ?? [] {
            Terminal.print("measure \(segment.key.text.prefix(12))  frames \(segment.frames)  \(try state(segment.key))")
        }
        if let allocation = prepared.plan.bitrate?.allocation {
            Terminal.print("bits   \(allocation.key.text.prefix(12))  \(allocation.bits) in all  \(try state(allocation.key))")
        }
        let clips = try shownClips(prepared)
        for (index, segment) in prepared.plan.videoSegments.enumerated() {
            let names = clips[segment.key].map { "  clips \($0.joined(separator: ", "))" } ?? ""
            Terminal.print("video  \(segment.key.text.prefix(12))  frames \(segment.frames)  \(try state(segment.key))\(names)")
            explain(explanation?.pictures[index])
        }
        for (index, segment) in prepared.plan.allAudioSegments.enumerated() {
            let samples = segment.firstSample..<(segment.firstSample + segment.slice.sampleCount)
            Terminal.print("audio  \(segment.key.text.prefix(12))  samples \(samples)  \(try state(segment.key))")
            explain(explanation?.sounds[index])
        }
        for (soundtrack, _) in prepared.plan.allSoundtracks {
            for (key, count) in soundtrack.parts?.map({ ($0.key, $0.sampleCount) }) ?? [(soundtrack.key, soundtrack.sampleCount)]
            {
                Terminal.print("sound  \(key.text.prefix(12))  \(count) samples  \(try state(key))")
            }
        }
        if let copied = prepared.plan.stitch.copied {
            for range in copied.ranges {
                let frames = range.firstFrame..<range.firstFrame + range.frameCount
                Terminal.print("copy   frames \(frames): \(copied.copiedStreams) of \(range.text(prepared.sourceNames))")
            }
        }
        let film = prepared.plan.stitch
        Terminal.print("film   \(film.key.text.prefix(12))  \(film.frameCount) frames\(time(film.key))")
        for picture in prepared.plan.pictures?.files ?? [] {
            let frames = "\(picture.sheet.frames.count) frame\(picture.sheet.frames.count == 1 ? "" : "s")"
            Terminal.print("picture \(picture.key.text.prefix(12))  \(frames)  \(try state(picture.key))")
        }
        Terminal.print(prediction.line)
        if let comparison { Terminal.print(comparison.line(work: prediction.work)) }
    }

    /// The ids of the clips that each segment shows. A segment may be shown several times.
    private func shownClips(_ prepared: DraftPreparation) throws -> [ArtifactKey: [String]] {
        guard prepared.draft.mainTrackClips.contains(where: { $0.id != nil }) else { return [:] }
        var ids: [ArtifactKey: [String]] = [:]
        for place in try prepared.compiler.clipPlaces(of: prepared.draft, (prepared.composition, prepared.plan)) {
            guard let id = place.id else { continue }
            for key in place.segments where ids[key]?.last != "'\(id)'" { ids[key, default: []].append("'\(id)'") }
        }
        return ids
    }
}

extension CopiedFilm {
    /// What is copied, as text.
    var copiedStreams: String { copiesSound ? "pictures and sound" : "pictures" }
}

extension [String: String] {
    /// A file's name with the streams that are chosen of it, for a source's name in a plan; the keys are content hashes.
    func name(ofSource source: String) -> String? {
        let parts = source.split(separator: ":", maxSplits: 1)
        return parts.first.flatMap { self[String($0)] }.map { parts.count == 2 ? "\($0) (streams \(parts[1]))" : $0 }
    }
}

extension CopiedRange {
    /// - Parameter names: the names of the sources, by content hash.
    func text(_ names: [String: String]) -> String {
        "\(names.name(ofSource: source) ?? source), \(sourceRange.start) to \(sourceRange.end) s"
    }
}

extension PlanExplanation {
    fileprivate var failures: [CommandFailure] { pictures.compactMap(\.failure) + sounds.compactMap(\.failure) }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}

extension [String] {
    /// The lines without duplicates, in order, because many segments may lack the same font.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension ExplainedPlan {
    fileprivate init(_ plan: RenderPlan, _ explanation: PlanExplanation) {
        self.plan = plan
        video = zip(plan.videoSegments, explanation.pictures).map { segment, explanation in
            ExplainedSegment(
                key: segment.key, first: segment.firstFrame, count: segment.slice.frameCount, explanation: try? explanation.get())
        }
        audio = zip(plan.allAudioSegments, explanation.sounds).map { segment, explanation in
            ExplainedSegment(
                key: segment.key, first: segment.firstSample, count: segment.slice.sampleCount,
                explanation: try? explanation.get())
        }
    }
}
