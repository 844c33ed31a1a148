import ArgumentParser
import ArtifactStore
import DraftModel
import ExactTime
import ExportPlan
import Rendering

/// `spool validate`: every fault of a draft, sources included.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Say everything that is wrong with a draft.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the faults as JSON.")
    var json = false

    func run() async throws {
        do {
            let prepared = try await DraftPreparation(draft, work)
            if json {
                try Terminal.printJSON(Verdict(valid: true, errors: []))
            } else {
                print("valid: \(prepared.composition.frameCount) frames, \(prepared.composition.canvas)")
            }
        } catch let failure as CommandFailure where json && failure.diagnostics != nil {
            try Terminal.printJSON(Verdict(valid: false, errors: failure.diagnostics ?? []))
            throw ExitCode(failure.status)
        }
    }

    private struct Verdict: Encodable {
        var valid: Bool
        var errors: [DraftDiagnostic]
    }
}

/// `spool composition`: the draft with its clips resolved into instructions and layers.
struct CompositionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "composition", abstract: "Show a draft as instructions, layers and audio inputs.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the whole composition as JSON.")
    var json = false

    func run() async throws {
        let composition = try await DraftPreparation(draft, work).composition
        if json { return try Terminal.printJSON(composition) }
        print(
            "\(composition.canvas), \(composition.frameRate) frames a second, \(composition.duration) s, \(composition.frameCount) frames"
        )
        for instruction in composition.instructions {
            print("  \(instruction.timeRange)  \(instruction.layers.map(\.summary).joined(separator: " + "))")
        }
        for input in composition.audioInputs {
            print(
                "  \(input.timeRange)  sound \(input.source.prefix(8)) from \(input.sourceRange.start) s at speed \(input.speed)")
        }
    }
}

/// `spool plan`: the jobs of an export and which of them the cache already has.
struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show the segments of an export, their keys, and what the cache has of them.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the whole plan as JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        if json { return try Terminal.printJSON(prepared.plan) }
        func state(_ key: ArtifactKey) throws -> String {
            try prepared.store.localFile(for: key) == nil ? "to render" : "in the cache"
        }
        for segment in prepared.plan.videoSegments {
            let frames = segment.firstFrame..<(segment.firstFrame + segment.slice.frameCount)
            print("video  \(segment.key.text.prefix(12))  frames \(frames)  \(try state(segment.key))")
        }
        for segment in prepared.plan.audioSegments {
            let samples = segment.firstSample..<(segment.firstSample + segment.slice.sampleCount)
            print("audio  \(segment.key.text.prefix(12))  samples \(samples)  \(try state(segment.key))")
        }
        print(
            "sound  \(prepared.plan.soundtrack.key.text.prefix(12))  \(prepared.plan.soundtrack.sampleCount) samples  \(try state(prepared.plan.soundtrack.key))"
        )
        print("film   \(prepared.plan.stitch.key.text.prefix(12))  \(prepared.plan.stitch.frameCount) frames")
    }
}

/// `spool probe`: what Spool knows of a file.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "probe", abstract: "Show what a media file holds.")

    @Argument(help: "Media files.")
    var files: [String]

    @OptionGroup var work: WorkOptions

    @Flag(help: "Print everything as JSON.")
    var json = false

    func run() async throws {
        let pool = ChildPool(
            executable: try DraftPreparation.ownExecutable(), arguments: ["render-process", "--cache", work.cacheDirectory],
            slots: work.slots)
        let outcomes = try await pool.runEach(files.map { JobGraph.Node(.probe(path: $0)) })
        var failed = false
        for (file, outcome) in zip(files, outcomes) {
            switch outcome {
            case .success(let result):
                if let facts = result.facts { try json ? Terminal.printJSON(facts) : print(facts.summary(of: file)) }
            case .failure(let failure):
                failed = true
                CommandFailure(failure).lines.forEach(Terminal.error)
            }
        }
        if failed { throw ExitCode(ExitStatus.badInput) }
    }
}

extension SourceFacts {
    fileprivate func summary(of file: String) -> String {
        var lines = ["\(file): \(container), \(byteCount) bytes, sha256 \(contentHash)"]
        if let video {
            let turn =
                video.orientation == .upright
                ? "" : ", turned \(video.orientation.quarterTurns * 90)°\(video.orientation.mirrored ? " mirrored" : "")"
            lines.append("  picture: \(video.codec) \(video.size) \(video.pixelFormat)\(turn), shown \(video.displaySize)")
            if !video.isStill {
                let rate = "\(video.isVariableFrameRate ? "about " : "")\(video.frameRate)"
                lines.append(
                    "           \(rate) frames a second, \(video.frameCount) frames, \(video.duration) s, \(video.keyframes.count) keyframes"
                )
            }
            let color = video.color
            lines.append(
                "           \(color.matrix.rawValue), \(color.primaries.rawValue) primaries, \(color.transfer.rawValue), \(color.isFullRange ? "full" : "limited") range"
            )
        }
        if let audio {
            lines.append("  sound:   \(audio.codec) \(audio.sampleRate) Hz \(audio.channelLayout), \(audio.duration) s")
        }
        return lines.joined(separator: "\n")
    }
}

extension Layer {
    /// One word or two for a listing.
    fileprivate var summary: String {
        switch content {
        case .solid: "solid"
        case .video(let source, let timing): "video \(source.prefix(8)) from \(timing.sourceStart) s at rate \(timing.rate)"
        case .still(let source): "still \(source.prefix(8))"
        case .blurred(let layer, _): "blurred(\(layer.summary))"
        case .transition(let transition):
            "\(transition.kind.rawValue)(\(transition.from.map(\.summary).joined(separator: " + ")) -> \(transition.to.map(\.summary).joined(separator: " + ")))"
        }
    }
}
