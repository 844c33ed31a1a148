import ArgumentParser
import CommandLineInterface
import ExactTime
import ExportPlan
import Vocabulary

/// `spool composition`: prints the draft with its clips resolved into instructions and layers.
struct CompositionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "composition", abstract: "Show a draft as instructions, layers and audio inputs.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print the whole composition as JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        let composition = prepared.composition
        if json { return try Terminal.printJSON(WithWarnings(composition, prepared.warnings)) }
        Terminal.print(
            "\(composition.canvas), \(composition.frameRate) frames a second, \(composition.duration) s, \(composition.frameCount) frames"
        )
        for instruction in composition.instructions {
            Terminal.print("  \(instruction.timeRange)  \(instruction.layers.map(\.summary).joined(separator: " + "))")
        }
        guard let tracks = composition.soundTracks else { return list(composition.audioInputs) }
        for (index, track) in tracks.enumerated() {
            let tags = [track.tags.language, track.tags.title].compactMap(\.self).joined(separator: ", ")
            Terminal.print("sound track \(index + 1)\(tags.isEmpty ? "" : ": \(tags)")")
            list(track.inputs)
        }
    }

    private func list(_ sounds: [AudioInput]) {
        for input in sounds {
            Terminal.print(
                "  \(input.timeRange)  sound \(input.source.prefix(8)) from \(input.sourceRange.start) s at speed \(input.speed)")
        }
    }
}

extension Layer {
    /// One or two words for a listing.
    fileprivate var summary: String {
        let seen =
            (timeRange.map { " in \($0)" } ?? "") + (mixer?.plugin.map { " mixed by \($0.name)" } ?? "")
            + (transitions ?? []).map { " \($0.direction.rawValue) by \($0.kind.rawValue) in \($0.timeRange)" }.joined()
        return switch content {
        case .solid: "solid"
        case .adjustment: "adjustment(\(operations?.map(\.name).joined(separator: ", ") ?? ""))\(seen)"
        case .group(let layers, let size): "group(\(size): \(layers.map(\.summary).joined(separator: " + ")))\(seen)"
        case .video(let source, let timing):
            "video \(source.prefix(8)) from \(timing.sourceStart) s at rate \(timing.rate)\(seen)"
        case .text(let text): "text \"\(text.text.prefix(20))\"\(seen)"
        case .shape: "shape\(seen)"
        case .generator(let generated): "generator \(generated.call.plugin?.name ?? "")(\(generated.size))\(seen)"
        case .captions(let captions): "captions \(captions.source.prefix(8)) from \(captions.start) s\(seen)"
        case .still(let source): "still \(source.prefix(8))\(seen)"
        case .blurred(let layer, _): "blurred(\(layer.summary))"
        case .transition(let transition):
            "\(transition.mixer?.call.plugin?.name ?? transition.kind.rawValue)(\(transition.from.map(\.summary).joined(separator: " + ")) -> \(transition.to.map(\.summary).joined(separator: " + ")))"
        }
    }
}
