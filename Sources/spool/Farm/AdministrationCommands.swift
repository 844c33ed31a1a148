import ArgumentParser
import CommandLineInterface
import Coordinator
import FarmAPI
import FarmClient
import LocalFarm
import Vocabulary

/// `spool tenant`: creates, changes and lists the farm's tenants.
struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant", abstract: "Manage the tenants of the farm (needs the scope admin).",
        subcommands: [List.self, Create.self, Change.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the tenants.")

        @OptionGroup var farm: FarmOptions

        func run() async throws {
            let listing = try await farm.client().tenants()
            try farm.list(listing.items, "TENANT", "SHARE", "CAP", "OPEN EXPORTS", "OPEN JOBS", "ASSETS", "AGE") {
                [
                    $0.name, "\($0.weight)", "\($0.priorityCap)", $0.maxOpenExports.map { "at most \($0)" } ?? "-",
                    $0.maxOpenJobs.map { "at most \($0)" } ?? "-",
                    $0.maxAssetBytes.map { "at most " + Phrase.bytes($0) } ?? "-", Phrase.age($0.createdAt, at: listing.at),
                ]
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Add a tenant.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The name: a-z, 0-9 and -.") var name: String
        @Option(
            name: [.customLong("share"), .customLong("weight")],
            help: "Share of the slots relative to other tenants', 1...1000.")
        var share = 1
        @Option(help: "The highest priority that the tenant may give by itself, -100...100.")
        var priorityCap = Tenant.defaultPriorityCap

        func run() async throws {
            let wanted = NewTenant(name: name, weight: share, priorityCap: priorityCap)
            let tenant = try await farm.client().createTenant(wanted)
            try farm.say(
                "tenant '\(tenant.name)' is there, with the share \(tenant.weight) and the cap \(tenant.priorityCap)", tenant)
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change a tenant's share, the cap of its priorities, its quotas, or the addresses of its sources.",
            discussion: """
                It acts at once. A lower cap lowers the priorities that the tenant has given; an operator's priority above the \
                former cap stays.
                """)

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The tenant's name.") var name: String
        @Option(
            name: [.customLong("share"), .customLong("weight")],
            help: "Share of the slots relative to other tenants', 1...1000.")
        var share: Int?
        @Option(help: "The highest priority that the tenant may give by itself, -100...100.")
        var priorityCap: Int?
        @Option(
            help: """
                Patterns of the addresses that sources may be fetched from, separated by commas, such as \
                https://*.example.com/; '*' for all that the farm allows.
                """)
        var sourceAddresses: String?
        @Option(help: "How many exports it may have that are not over; 0 for no limit.")
        var maxOpenExports: Int?
        @Option(help: "How many jobs of its exports may be open; further exports wait. 0 for no limit.")
        var maxOpenJobs: Int?
        @Option(help: "How many bytes of assets it may have, such as 500GB, or never for no limit.")
        var maxAssets: AssetQuota?

        func validate() throws {
            if share == nil, priorityCap == nil, sourceAddresses == nil, maxOpenExports == nil, maxOpenJobs == nil,
                maxAssets == nil
            {
                throw ValidationError(
                    "give --share, --priority-cap, --source-addresses, --max-open-exports, --max-open-jobs or --max-assets")
            }
        }

        func run() async throws {
            let addresses = sourceAddresses.map { $0.split(separator: ",").map(String.init) }
            let change = TenantChange(
                weight: share, priorityCap: priorityCap, sourceAddresses: addresses, maxOpenExports: maxOpenExports,
                maxOpenJobs: maxOpenJobs, maxAssetBytes: maxAssets?.bytes)
            let tenant = try await farm.client().changeTenant(name, change)
            var words = "tenant '\(tenant.name)' has the share \(tenant.weight) and the cap \(tenant.priorityCap)"
            if !Tenant.usesAllAddresses(tenant.sourceAddresses) {
                let patterns = tenant.sourceAddresses.joined(separator: ", ")
                words += ", and fetches sources from \(patterns.isEmpty ? "nowhere" : patterns)"
            }
            if let quota = tenant.maxOpenExports { words += ", and may have \(quota) open exports" }
            if let quota = tenant.maxOpenJobs { words += ", and may have \(quota) open jobs" }
            if let quota = tenant.maxAssetBytes { words += ", and may have \(Phrase.bytes(quota)) of assets" }
            try farm.say(words, tenant)
        }
    }
}

/// A size on the command line, such as `500GB`; `never` stands for no limit.
struct AssetQuota: ExpressibleByArgument {
    /// 0 for no limit.
    var bytes: Int64

    init?(argument: String) {
        guard let size = Amount.size(argument) else { return nil }
        bytes = size ?? 0
    }
}
