import ArgumentParser
import Coordinator
import FarmAPI
import FarmClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `spool draft`: the library of named drafts.
struct DraftCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft", abstract: "The farm's library of drafts.", subcommands: [Put.self, Get.self, List.self])

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep a draft under a name; files that it names are uploaded.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption
        @Argument(help: "The name.") var name: String
        @Argument(help: "The draft, a JSON file.") var file: String

        func run() async throws {
            let client = try server.client()
            guard var inputs = try Optional(DraftInputs([file])), let input = inputs.next() else {
                throw CommandFailure("standard input has no draft", status: ExitStatus.badInput)
            }
            let packing = DraftPacking(client) { path, byteCount in
                Terminal.error("uploaded \(path), \(Phrase.bytes(Int64(byteCount)))")
            }
            do {
                let document = try await packing.template(of: try input.document.get(), folder: input.folder)
                let revision = try await client.putDraft(name, document: document)
                if format.json { return try Terminal.printFarmJSON(revision) }
                print("draft '\(revision.name)' is at revision \(revision.revision)")
            } catch let failure as ClientFailure {
                throw CommandFailure(failure, subject: input.name)
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print a draft as it was handed in.")

        @OptionGroup var server: ServerOptions
        @Argument(help: "The name.") var name: String
        @Option(help: "Default: the newest.") var revision: Int?

        func run() async throws {
            let document = try await server.client().draft(name, revision: revision)
            print(String(decoding: document, as: UTF8.self))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the drafts.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption

        func run() async throws {
            let listing = try await server.client().drafts()
            if format.json { return try Terminal.printFarmJSON(listing.items) }
            var table = Table("DRAFT", "REVISION", "AGE")
            for draft in listing.items {
                table.add(draft.name, "\(draft.revision)", Phrase.age(draft.createdAt, at: listing.at))
            }
            table.print()
        }
    }
}

/// `spool asset`: uploaded sources.
struct AssetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "asset", abstract: "Sources that were uploaded to the farm.", subcommands: [Put.self, List.self])

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Upload files, unless the farm has them; prints what drafts name them by.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption
        @Argument(help: "Files.") var files: [String]

        func run() async throws {
            try await Interruption.run { try await put() }
        }

        private func put() async throws {
            let client = try server.client()
            var done: [Uploaded] = []
            for file in files {
                let (hash, byteCount, wasSent) = try await client.putAsset(file)
                done.append(Uploaded(file: file, url: "asset:\(hash)", bytes: byteCount, wasSent: wasSent))
                if !format.json { print("asset:\(hash)  \(file)\(wasSent ? "" : " (was there)")") }
            }
            if format.json { try Terminal.printJSON(done) }
        }

        private struct Uploaded: Encodable {
            var file: String
            var url: String
            var bytes: Int
            var wasSent: Bool
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the newest assets.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption
        @Option(help: "How many, 1...1000.") var limit = 100

        func run() async throws {
            let listing = try await server.client().assets(limit: limit)
            if format.json { return try Terminal.printFarmJSON(listing.items) }
            var table = Table("ASSET", "SIZE", "AGE", "NAME")
            for asset in listing.items {
                table.add(
                    "asset:\(asset.hash)", Phrase.bytes(asset.byteCount), Phrase.age(asset.createdAt, at: listing.at), asset.name)
            }
            table.print()
        }
    }
}
