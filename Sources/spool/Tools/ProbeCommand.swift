import ArgumentParser
import CommandLineInterface
import ExactTime
import ExportPlan
import RenderingProcesses
import Vocabulary

/// `spool probe`: prints the source facts of files.
struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "probe", abstract: "Show what a media file contains.")

    @Argument(help: "Media files.")
    var files: [String]

    @OptionGroup var work: WorkOptions

    @Flag(help: "Print everything as JSON.")
    var json = false

    func run() async throws {
        let pool = try work.pool()
        let outcomes = try await pool.runEach(files.map { JobGraph.Node(.probe(path: $0)) })
        // The highest exit code of all failures counts; errors of a file have the lowest one (65).
        var status: Int32 = 0
        for (file, outcome) in zip(files, outcomes) {
            switch outcome {
            case .success(let result):
                if let facts = result.facts {
                    try json ? Terminal.printJSON(facts) : Terminal.print(lines: facts.summary(of: file))
                }
            case .failure(let failure):
                let failure = CommandFailure(failure)
                failure.lines.forEach(Terminal.error)
                status = max(status, failure.status)
            }
        }
        if status != 0 { throw ExitCode(status) }
    }
}

extension SourceFacts {
    fileprivate func summary(of file: String) -> [String] {
        var lines = ["\(file): \(container), \(byteCount) bytes, sha256 \(contentHash)"]
        if let video {
            let turn =
                video.orientation == .upright
                ? "" : ", rotated \(video.orientation.quarterTurns * 90)°\(video.orientation.mirrored ? " mirrored" : "")"
            lines.append("  picture: \(video.codec) \(video.size) \(video.pixelFormat)\(turn), shown \(video.displaySize)")
            if !video.isStill {
                let rate = "\(video.isVariableFrameRate ? "about " : "")\(video.frameRate)"
                lines.append(
                    "           \(rate) frames a second, \(video.frameCount) frames, \(video.duration) s, \(video.keyframes.count) keyframes"
                )
            }
            if let interlacing = video.interlacing {
                let order = interlacing.order == .topFieldFirst ? "top" : "bottom"
                lines.append(
                    "           interlaced, \(order) field first"
                        + (interlacing.isMarked ? "" : ", by the container or by its pictures"))
            }
            let color = video.color
            lines.append(
                "           \(color.matrix.rawValue), \(color.primaries.rawValue) primaries, \(color.transfer.rawValue), \(color.isFullRange ? "full" : "limited") range"
            )
            if let profile = video.profile {
                let name = profile.name.isEmpty ? "" : " '\(profile.name)'"
                lines.append("           ICC profile\(name), \(profile.isApplied ? "converted to sRGB" : "not used")")
            }
            if let metadata = video.hdrMetadata?.text { lines.append("           \(metadata)") }
        }
        switch auxiliaryKind {
        case .lookupTable: lines.append("  a lookup table")
        case .captions: lines.append("  captions")
        case .font: lines.append("  a font file")
        case nil: break
        }
        if let audio {
            lines.append("  sound:   \(audio.codec) \(audio.sampleRate) Hz \(audio.channelLayout), \(audio.duration) s")
        }
        return (lines + (streams ?? []).map(line(of:)) + tagLines(tags ?? [:], indent: "  ")).map(\.printable)
    }

    /// A line about a stream, and whether it plays.
    private func line(of stream: StreamFacts) -> String {
        let details = [stream.language, stream.title.map { "'\($0)'" }, stream.channelLayout, stream.size?.description]
        var words = [stream.codec] + details.compactMap { $0 } + stream.dispositions
        switch stream.kind {
        case .video where stream.index == video?.streamIndex, .audio where stream.index == audio?.streamIndex:
            words.append("plays")
        case .video where (otherVideo ?? []).contains { $0.streamIndex == stream.index }:
            words.append("plays where videoStream is \(stream.index)")
        case .audio where (otherAudio ?? []).contains { $0.streamIndex == stream.index }:
            words.append("plays where audioStream is \(stream.index)")
        default: break
        }
        return "  stream \(stream.index): \(stream.kind.rawValue) \(words.joined(separator: ", "))"
    }

    private func tagLines(_ tags: [String: String], indent: String) -> [String] {
        tags.sorted { $0.key < $1.key }.map { "\(indent)\($0.key): \($0.value)" }
    }
}

extension HDRMetadata {
    fileprivate var text: String {
        let display = masteringDisplay.map { "mastered at \($0.minLuminance.doubleValue)...\($0.maxLuminance.doubleValue) cd/m2" }
        let content = contentLight.map { "at most \($0.maxContent) cd/m2, frames \($0.maxFrameAverage)" }
        return [display, content].compactMap { $0 }.joined(separator: ", ")
    }
}
