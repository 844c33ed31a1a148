import ArgumentParser
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExportPlan
import Vocabulary

/// `spool presets`: tells which presets fit a draft, and why the others do not.
struct PresetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets", abstract: "List the presets that a draft can be exported with, and why the others do not fit.",
        discussion: "Settings that are given with --set are set beside each preset.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if draft.export.preset != nil { throw ValidationError("all presets are tried; leave --preset out") }
    }

    func run() async throws {
        let values = try draft.export.settingValues()
        if values["preset"] != nil { throw CommandFailure("all presets are tried; leave preset out", status: ExitStatus.usage) }
        var options = draft
        // The draft has to be valid by itself; its settings are checked with each preset.
        (options.export.settings, options.export.settingsFile) = ([], nil)
        let prepared = try await DraftPreparation(options, work)
        let entries = ExportSettings.Preset.allCases.map { entry(of: $0, values, prepared) }
        if json { return try Terminal.printJSON(entries) }
        for entry in entries { Terminal.print(lines: entry.lines) }
    }

    private func entry(of preset: ExportSettings.Preset, _ values: [String: String], _ prepared: DraftPreparation) -> Entry {
        var wanted = values
        wanted["preset"] = preset.rawValue
        let (settings, faults) = ExportSettings.read(wanted)
        var entry = Entry(preset: preset.rawValue, fits: false, fileType: settings.decidedFileType.description, errors: [])
        let reported = faults.map { $0.under("settings") }
        do {
            let composition = try Compiler(settings: settings, facts: prepared.compiler.facts)
                .compose(prepared.draft, reported: reported).composition
            entry.fits = true
            if settings.decidedFileType.format.hasVideo {
                (entry.width, entry.height) = (composition.canvas.width, composition.canvas.height)
                entry.videoCodec = settings.decidedVideoCodec?.rawValue
            }
        } catch let error as DraftError {
            entry.errors = error.diagnostics.errors
        } catch {
            preconditionFailure("composing a draft throws nothing else")
        }
        return entry
    }

    private struct Entry: Encodable {
        var preset: String
        var fits: Bool
        var fileType: String
        /// The codec of the pictures; nil for a file without pictures, and for copied ones.
        var videoCodec: String?
        var width: Int?
        var height: Int?
        /// Why it does not fit.
        var errors: [DraftDiagnostic]

        var lines: [String] {
            let name = preset.padding(16)
            guard !fits else {
                let size = width.flatMap { width in height.map { "  \(width)x\($0)" } } ?? ""
                return ["\(name)  fits  \(fileType)\(videoCodec.map { "  \($0)" } ?? "")\(size)"]
            }
            return ["\(name)  does not fit"] + errors.prefix(3).map { "  \($0.line)" }
                + (errors.count > 3 ? ["  and \(errors.count - 3) more"] : [])
        }
    }
}

extension String {
    /// The text with spaces behind it, for a column of a listing.
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
