import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import Recorder
import Vocabulary
import FoundationEssentials

extension RecordCommand {
    /// `spool record finish`: makes a draft of a recording.
    struct Finish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "finish", abstract: "End a recording: its clips and its music become a draft.")

        @OptionGroup var named: Named

        @Option(name: [.customShort("o"), .long], help: "The draft to write. Default: draft.json in the recording's directory.")
        var output: String?

        @Option(help: "The film to make of the draft, as spool export does, or on the farm: \(Finish.films).")
        var film: String?

        @OptionGroup var work: WorkOptions
        @OptionGroup var writing: OutputOptions

        private static let films = "a file whose suffix says its type"

        func validate() throws {
            if film != nil, named.json { throw ValidationError("--json prints the recording and not the film; leave one out") }
            if film == "-" { throw ValidationError("--film names a file; spool export DRAFT -o - writes to standard output") }
        }

        func run() async throws {
            try await Interruption.run { try await finish() }
        }

        private func finish() async throws {
            if let film {
                try writing.checkPlace(film)
                let isKnown = FormatCatalogue.container(ofSuffix: OutputOptions.suffix(of: film)) != nil
                guard isKnown else { throw ExportCommand.unknownType(of: film) }
            }
            if let farm = try named.farmRecorder() { return try await finish(farm) }
            let folder = RecordingFolder(named.recording)
            let done = try await LocalRecorder(folder: folder, work: work).finish(to: output, writing)
            if named.json { return try Terminal.printJSON(folder.status(try folder.read())) }
            Terminal.print("\(done.path): \(done.frameCount) frames, \(done.duration) s")
            guard let film else { return }
            var export = try ExportCommand.parse(["--output=\(film)", "--", done.path])
            (export.work, export.writing) = (work, writing)
            try await export.export()
        }

        /// Finishes a recording on the farm. The farm keeps the draft in its library; `output` is a copy.
        private func finish(_ farm: FarmRecorder) async throws {
            if let output { try writing.checkPlace(output) }
            try await farm.recover()
            let body = try await farm.client.finishRecording(farm.id)
            guard let draft = body.draft else { return }
            if let output {
                try writing.write(try await farm.client.draft(draft.name, revision: draft.revision), to: output)
            }
            try named.say(body, "draft '\(draft.name)' is at revision \(draft.revision), \(body.status.duration) s")
            if let film { try await make(film, of: draft, farm.client) }
        }

        /// Exports the draft on the farm, and fetches the film.
        private func make(_ film: String, of draft: DraftRevision, _ client: FarmClient) async throws {
            let suffix = OutputOptions.suffix(of: film)
            let settings = FormatCatalogue.container(ofSuffix: suffix).map { ["fileType": $0.type.rawValue] } ?? [:]
            let submission = ExportSubmission(
                document: nil, options: .init(draft: draft.name, revision: draft.revision, settings: settings))
            let export = try await client.submit(submission, key: UUID().uuidString)
            try WatchDisplay.check(try await WatchDisplay(client).run([export.id]), isStrict: false)
            let count = try await client.download(export.id, to: film, replacing: !writing.noOverwrite) { _, _ in }
            Terminal.print("\(film): \(Phrase.bytes(Int64(count)))")
        }
    }
}
