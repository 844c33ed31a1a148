import ArgumentParser
import ArtifactStore
import ExactTime
import ExportPlan

/// `spool plan`: the jobs of an export and which of them the cache already has.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show the segments of an export, their keys, and what the cache has of them.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Say below each segment how its pictures or samples are made.")
    var explain = false

    @Flag(help: "Print the whole plan as JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        guard explain else {
            return try json ? Terminal.printJSON(WithWarnings(prepared.plan, prepared.warnings)) : printPlan(prepared)
        }
        let explanation = try await prepared.explanation()
        if json {
            try Terminal.printJSON(WithWarnings(ExplainedPlan(prepared.plan, explanation), prepared.warnings))
        } else {
            try printPlan(prepared, explanation)
        }
        let failures = explanation.failures
        failures.flatMap(\.lines).uniqued.forEach(Terminal.error)
        // Of several failures the one that is furthest from being the draft's own fault.
        if let status = failures.map(\.status).max() { throw ExitCode(status) }
    }

    private func printPlan(_ prepared: DraftPreparation, _ explanation: PlanExplanation? = nil) throws {
        let text = ProgramText(names: prepared.sourceNames)
        func state(_ key: ArtifactKey) throws -> String {
            try prepared.store.localFile(for: key) == nil ? "to render" : "in the cache"
        }
        func explain<Program>(_ outcome: Result<Program, CommandFailure>?, _ lines: (Program) -> [String]) {
            switch outcome {
            case .success(let program): Terminal.print(lines: text.indented(lines(program)))
            case .failure: Terminal.print("  cannot be told; see the error below")
            case nil: break
            }
        }
        for segment in prepared.plan.bitrate?.measures ?? [] {
            Terminal.print("measure \(segment.key.text.prefix(12))  frames \(segment.frames)  \(try state(segment.key))")
        }
        if let allocation = prepared.plan.bitrate?.allocation {
            Terminal.print("bits   \(allocation.key.text.prefix(12))  \(allocation.bits) in all  \(try state(allocation.key))")
        }
        for (index, segment) in prepared.plan.videoSegments.enumerated() {
            Terminal.print("video  \(segment.key.text.prefix(12))  frames \(segment.frames)  \(try state(segment.key))")
            explain(explanation?.pictures[index]) { text.lines(of: $0) }
        }
        for (index, segment) in prepared.plan.audioSegments.enumerated() {
            let samples = segment.firstSample..<(segment.firstSample + segment.slice.sampleCount)
            Terminal.print("audio  \(segment.key.text.prefix(12))  samples \(samples)  \(try state(segment.key))")
            explain(explanation?.sounds[index]) { text.lines(of: $0) }
        }
        if let soundtrack = prepared.plan.soundtrack {
            Terminal.print(
                "sound  \(soundtrack.key.text.prefix(12))  \(soundtrack.sampleCount) samples  \(try state(soundtrack.key))")
        }
        if let copied = prepared.plan.stitch.copied {
            for stretch in copied.stretches {
                let frames = stretch.firstFrame..<stretch.firstFrame + stretch.frameCount
                Terminal.print("copy   frames \(frames): \(copied.parts) of \(stretch.text(prepared.sourceNames))")
            }
        }
        Terminal.print("film   \(prepared.plan.stitch.key.text.prefix(12))  \(prepared.plan.stitch.frameCount) frames")
    }
}

extension CopiedFilm {
    /// What is copied, in words.
    var parts: String { copiesSound ? "pictures and sound" : "pictures" }
}

extension CopiedStretch {
    /// - Parameter names: of sources, by content hash.
    func text(_ names: [String: String]) -> String {
        "\(names[source] ?? source), \(sourceRange.start) to \(sourceRange.end) s"
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
    /// Each line once, in order: many segments may lack the same font.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension ExplainedPlan {
    fileprivate init(_ plan: RenderPlan, _ explanation: PlanExplanation) {
        self.plan = plan
        video = zip(plan.videoSegments, explanation.pictures).map { segment, program in
            ExplainedSegment(
                key: segment.key, first: segment.firstFrame, count: segment.slice.frameCount, program: try? program.get())
        }
        audio = zip(plan.audioSegments, explanation.sounds).map { segment, program in
            ExplainedSegment(
                key: segment.key, first: segment.firstSample, count: segment.slice.sampleCount, program: try? program.get())
        }
    }
}
