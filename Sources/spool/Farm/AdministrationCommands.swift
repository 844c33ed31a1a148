import ArgumentParser
import Coordinator
import FarmAPI
import FarmClient

/// `spool tenant`: who may use the farm.
struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant", abstract: "Who uses the farm (needs the scope admin).", subcommands: [List.self, Create.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the tenants.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption

        func run() async throws {
            let listing = try await server.client().tenants()
            if format.json { return try Terminal.printFarmJSON(listing.items) }
            var table = Table("TENANT", "SHARE", "AGE")
            for tenant in listing.items {
                table.add(tenant.name, "\(tenant.weight)", Phrase.age(tenant.createdAt, at: listing.at))
            }
            table.print()
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a tenant.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption
        @Argument(help: "The name: a-z, 0-9 and -.") var name: String
        @Option(help: "Share of the slots relative to other tenants', 1...1000.") var share = 1

        func run() async throws {
            let tenant = try await server.client().createTenant(NewTenant(name: name, weight: share))
            if format.json { return try Terminal.printFarmJSON(tenant) }
            print("tenant '\(tenant.name)' is there, with the share \(tenant.weight)")
        }
    }
}

/// `spool token`: what lets programs and people in.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Tokens of the farm (needs the scope admin).",
        subcommands: [List.self, Create.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the tokens, without their secrets.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption

        func run() async throws {
            let listing = try await server.client().tokens()
            if format.json { return try Terminal.printFarmJSON(listing.items) }
            var table = Table("TOKEN", "TENANT", "SCOPES", "STATE", "AGE", "NAME")
            for token in listing.items {
                table.add(
                    "\(token.id)", token.tenant, token.scopes.map(\.rawValue).joined(separator: ","),
                    token.revokedAt == nil ? "valid" : "revoked", Phrase.age(token.createdAt, at: listing.at), token.name)
            }
            table.print()
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token and print its secret, this once: only its hash is kept.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption
        @Argument(help: "The tenant's name.") var tenant: String
        @Argument(help: "What it is for.") var name: String
        @Option(name: .customLong("scope"), help: "submit, read or admin; may be repeated. Default: submit and read.")
        var scopes: [Scope] = [.submit, .read]

        func run() async throws {
            let issued = try await server.client().createToken(NewToken(tenant: tenant, name: name, scopes: scopes))
            if format.json { return try Terminal.printFarmJSON(issued) }
            let names = issued.token.scopes.map(\.rawValue).joined(separator: ", ")
            Terminal.error("token \(issued.token.id) '\(name)' of tenant '\(tenant)' for \(names); it is shown only now:")
            print(issued.secret)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke tokens at once and for good.")

        @OptionGroup var server: ServerOptions
        @OptionGroup var format: JSONOption
        @Argument(help: "The tokens' numbers, from 'token ls'.") var ids: [Int64]

        func run() async throws {
            let client = try server.client()
            for id in ids {
                try await client.revokeToken(id)
                if !format.json { print("token \(id) is revoked") }
            }
            if format.json { try Terminal.printJSON(["revoked": ids]) }
        }
    }
}
