import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import LocalFarm
import Vocabulary
import FoundationEssentials

/// A time on the command line, such as `90d`.
struct TokenTime: ExpressibleByArgument {
    var seconds: Int

    init?(argument: String) {
        guard case .some(.some(let age)) = Amount.age(argument) else { return nil }
        seconds = Int(age)
    }
}

/// `spool token`: creates, lists, replaces and revokes tokens for people and programs.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Manage the tokens of the farm (needs the scope admin).",
        subcommands: [List.self, Create.self, Rotate.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the tokens, without their secrets.")

        @OptionGroup var farm: FarmOptions

        func run() async throws {
            let listing = try await farm.client().tokens()
            try farm.list(listing.items, "TOKEN", "TENANT", "SCOPES", "STATE", "AGE", "LAST USED", "NAME") { token in
                [
                    "\(token.id)", token.tenant, token.scopes.map(\.rawValue).joined(separator: ","),
                    List.state(of: token, at: listing.at), Phrase.age(token.createdAt, at: listing.at),
                    token.lastUsedAt.map { Phrase.age($0, at: listing.at) + " ago" } ?? "never", token.name,
                ]
            }
        }

        private static func state(of token: Token, at now: Date) -> String {
            if token.revokedAt != nil { return "revoked" }
            guard let end = token.expiresAt else { return "valid" }
            return end <= now ? "expired" : "valid for \(Phrase.age(now, at: end))"
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Create a token and print its secret once; only its hash is stored.",
            discussion: """
                A new farm has no token yet that could ask for one. The first is made in its database, on a machine that reaches it, and \
                the tenant with it where there is none of that name:
                  spool token create default admin --database-url postgresql://...
                """)

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The tenant's name.") var tenant: String
        @Argument(help: "The purpose of the token.") var name: String
        @Option(
            name: .customLong("scope"),
            help: "submit, read, admin or work; may be repeated. Default: submit and read; with --database-url all.")
        var scopes: [Scope] = []
        @Option(help: "How long it is valid, such as 12h or 90d. Default: until it is revoked.")
        var expires: TokenTime?
        @Option(
            name: .customLong("database-url"),
            help: "Create it in the farm's PostgreSQL database, without a server and without a token.")
        var databaseURL: String?

        func run() async throws {
            let issued: IssuedToken
            if let databaseURL {
                let wanted = NewToken(
                    tenant: tenant, name: name, scopes: scopes.isEmpty ? Scope.allCases : scopes,
                    expiresIn: expires?.seconds)
                issued = try await FirstToken.issue(wanted, in: databaseURL)
            } else {
                let wanted = NewToken(
                    tenant: tenant, name: name, scopes: scopes.isEmpty ? [.submit, .read] : scopes,
                    expiresIn: expires?.seconds)
                issued = try await farm.client().createToken(wanted)
            }
            if farm.json { return try Terminal.printFarmJSON(issued) }
            TokenCommand.tell(issued)
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Replace a token by a new one, and print its secret once.",
            discussion: "The old one stays valid for a while, so that programs can change to the new one.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The token's number, from 'token ls'.") var id: Int64
        @Option(help: "How long the old token stays valid, such as 30min or 1d; 0min ends it at once. Default: 1d.")
        var grace: TokenTime?

        func run() async throws {
            let issued = try await farm.client().rotateToken(id, TokenRotation(grace: grace?.seconds))
            if farm.json { return try Terminal.printFarmJSON(issued) }
            TokenCommand.tell(issued)
        }
    }

    /// Prints a new token; its secret alone goes to standard output.
    private static func tell(_ issued: IssuedToken) {
        let token = issued.token
        let names = token.scopes.map(\.rawValue).joined(separator: ", ")
        let end = token.expiresAt.map { ", valid until \(FarmJSON.text($0))" } ?? ""
        Terminal.error(
            "token \(token.id) '\(token.name)' of tenant '\(token.tenant)' for \(names)\(end); it is shown only now:")
        Terminal.print(issued.secret)
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Revoke tokens immediately and permanently.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The tokens' numbers, from 'token ls'.") var ids: [Int64]

        func run() async throws {
            try await farm.each(ids, { "token \($0)" }) { client, id in
                try await client.revokeToken(id)
                return (["revoked": id], "token \(id) is revoked")
            }
        }
    }
}
