import ArgumentParser
import CommandLineInterface
import Coordinator
import ExportPlan
import FarmAPI
import FarmClient
import Vocabulary
import FoundationEssentials

/// `spool draft`: manages the library of named drafts.
struct DraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft", abstract: "New drafts of files, and the farm's library of drafts.",
        subcommands: [
            NewDraftCommand.self, Put.self, Get.self, List.self, DraftHistoryCommand.self, DraftDiffCommand.self, Remove.self,
        ])

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rm", abstract: "Take drafts out of the library. Exports of them are not touched.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "Names.") var names: [String]

        func run() async throws {
            try await farm.each(names, \.self) { client, name in
                try await client.removeDraft(name)
                return (Removed(draft: name), "removed draft '\(name)'")
            }
        }

        private struct Removed: Encodable { var draft: String }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put", abstract: "Store a draft under a name, and upload the files that it names.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The name.") var name: String
        @Argument(help: "The draft, a JSON file.") var file: String

        func run() async throws {
            let client = try farm.client()
            guard var inputs = try Optional(DraftInputs([file])), let input = inputs.next() else {
                throw CommandFailure("there is no draft on standard input", status: ExitStatus.badInput)
            }
            let packing = DraftPacking(client) { path, byteCount in
                Terminal.error("uploaded \(path), \(Phrase.bytes(Int64(byteCount)))")
            }
            do {
                let document = try await packing.template(of: try input.document.get(), folder: input.folder)
                let revision = try await client.putDraft(name, document: document)
                try farm.say("draft '\(revision.name)' is at revision \(revision.revision)", revision)
            } catch let failure as ClientFailure {
                throw CommandFailure(failure, subject: input.name)
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Print a draft exactly as it was stored.")

        @OptionGroup var server: ServerOptions
        @Argument(help: "The name.") var name: String
        @Option(help: "Default: the newest.") var revision: Int?

        func run() async throws {
            let document = try await server.client().draft(name, revision: revision)
            Terminal.print(document: document)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List the drafts.", discussion: "Columns: \(FarmTables.drafts().names).")

        @OptionGroup var farm: FarmOptions
        @OptionGroup var list: ListOptions

        func run() async throws {
            try list.check(FarmTables.drafts(), farm)
            let listing = try await farm.client().drafts()
            let table = FarmTables.drafts(at: listing.at, isUTC: list.utc)
            let matcher = list.matcher(table)
            try farm.list(listing.items.filter { matcher?($0) ?? true }, table, list)
        }
    }
}

/// `spool asset`: manages uploaded sources.
struct AssetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "asset", abstract: "Sources that were uploaded to the farm.",
        subcommands: [Put.self, Get.self, List.self, Remove.self])

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rm", abstract: "Make the farm forget assets that nothing needs.",
            discussion: "The bytes go with a later collection of garbage (`spool gc`).")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "Assets: `asset:` and their sha256, as drafts name them.") var assets: [String]

        func run() async throws {
            try await farm.each(assets, \.self) { client, asset in
                try await client.removeAsset(AssetLocation.hash(of: asset) ?? asset)
                return (Removed(asset: asset), "removed \(asset)")
            }
        }

        private struct Removed: Encodable { var asset: String }
    }

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put", abstract: "Upload files, unless the farm has them; prints what drafts name them by.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "Files.") var files: [String]

        func run() async throws {
            try await Interruption.run { try await put() }
        }

        private func put() async throws {
            let client = try farm.client()
            var done: [Uploaded] = []
            for file in files {
                let (hash, byteCount, wasSent) = try await client.putAsset(file)
                done.append(Uploaded(file: file, url: AssetLocation.location(of: hash), bytes: byteCount, wasSent: wasSent))
                if !farm.json { Terminal.print("\(AssetLocation.location(of: hash))  \(file)\(wasSent ? "" : " (was there)")") }
            }
            if farm.json { try Terminal.printJSON(done) }
        }

        private struct Uploaded: Encodable {
            var file: String
            var url: String
            var bytes: Int
            var wasSent: Bool
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "get", abstract: "Fetch an asset.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The asset: `asset:` and its sha256, as drafts name it.") var asset: String
        @Option(name: [.customShort("o"), .long], help: "The file to write.") var output: String
        @OptionGroup var writing: OutputOptions

        func run() async throws {
            try await Interruption.run {
                let hash = AssetLocation.hash(of: asset) ?? asset
                try await farm.download(to: output, writing) { client, progress in
                    try await client.downloadAsset(hash, to: output, replacing: !writing.noOverwrite, progress: progress)
                } record: {
                    Downloaded(asset: AssetLocation.location(of: hash), output: output, bytes: $0)
                }
            }
        }

        private struct Downloaded: Encodable {
            var asset: String
            var output: String
            var bytes: Int
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the newest assets.")

        @OptionGroup var farm: FarmOptions
        @Option(help: "How many, 1...1000.") var limit = 100

        func run() async throws {
            let listing = try await farm.client().assets(limit: limit)
            try farm.list(listing.items, "ASSET", "SIZE", "AGE", "NAME") {
                [
                    AssetLocation.location(of: $0.hash), Phrase.bytes($0.byteCount), Phrase.age($0.createdAt, at: listing.at),
                    $0.name,
                ]
            }
        }
    }
}
