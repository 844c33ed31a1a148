import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import FoundationEssentials

/// `spool webhook`: the addresses that a farm tells what becomes of exports, and what was sent to them.
struct WebhookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "webhook", abstract: "Manage the addresses that the farm tells what becomes of exports.",
        subcommands: [
            List.self, Show.self, WebhookAddCommand.self, WebhookChangeCommand.self, Enable.self, Disable.self, Rotate.self,
            Remove.self, WebhookTestCommand.self, Redeliver.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the webhooks.")

        @OptionGroup var farm: FarmOptions

        func run() async throws {
            let listing = try await farm.client().webhooks()
            try farm.list(listing.items, "WEBHOOK", "STATE", "EVENTS", "ADDRESS", "LABEL") { webhook in
                [
                    "\(webhook.id)", WebhookText.state(webhook, at: listing.at), WebhookText.events(webhook), webhook.address,
                    webhook.label,
                ]
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a webhook and its newest deliveries.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The webhook's number, from 'webhook ls'.") var id: Int64
        @Option(help: "Only deliveries in this state: \(WebhookDeliveryState.allCases.map(\.rawValue).joined(separator: ", ")).")
        var state: WebhookDeliveryState?
        @Option(help: "How many of the newest deliveries, 1...1000.") var limit = 20

        func validate() throws {
            if !(1...1000).contains(limit) { throw ValidationError("--limit must be 1...1000, not \(limit)") }
        }

        func run() async throws {
            let client = try farm.client()
            let webhook = try await client.webhook(id)
            let listing = try await client.deliveries(of: id, state: state, limit: limit)
            if farm.json { return try Terminal.printFarmJSON(Shown(webhook: webhook, deliveries: listing.items)) }
            Terminal.print(lines: WebhookText.lines(webhook, at: listing.at) + [""])
            try farm.list(listing.items, "DELIVERY", "EVENT", "STATE", "ATTEMPTS", "STATUS", "AGE", "EXPORT", "RESULT") {
                WebhookText.cells($0, at: listing.at)
            }
        }

        private struct Shown: Encodable {
            var webhook: Webhook
            var deliveries: [WebhookDelivery]
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "enable", abstract: "Enable webhooks that were disabled.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The webhooks' numbers.") var ids: [Int64]

        func run() async throws {
            try await farm.each(ids, { "webhook \($0)" }) { client, id in
                (try await client.changeWebhook(id, WebhookChange(isEnabled: true)), "webhook \(id) is enabled")
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable webhooks: they get no new deliveries, and those that are pending fail.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The webhooks' numbers.") var ids: [Int64]

        func run() async throws {
            try await farm.each(ids, { "webhook \($0)" }) { client, id in
                (try await client.changeWebhook(id, WebhookChange(isEnabled: false)), "webhook \(id) is disabled")
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Replace a webhook's secret, and print the new one.",
            discussion: "Messages are signed with the former secret, too, until --overlap has passed.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The webhook's number.") var id: Int64
        @Option(help: "Seconds that the former secret stays valid, 0...604800; by default a day.") var overlap: Int?

        func run() async throws {
            let issued = try await farm.client().rotateSecret(of: id, overlap: overlap)
            try WebhookText.print(issued, "webhook \(id) has a new secret", farm)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rm", abstract: "Remove webhooks.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The webhooks' numbers.") var ids: [Int64]

        func run() async throws {
            try await farm.each(ids, { "webhook \($0)" }) { client, id in
                try await client.removeWebhook(id)
                return (["removed": id], "webhook \(id) is removed")
            }
        }
    }

    struct Redeliver: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "redeliver", abstract: "Send deliveries again, with the same ids; those that are pending are sent now.")

        @OptionGroup var farm: FarmOptions
        @Argument(help: "The webhook's number.") var id: Int64
        @Argument(help: "The deliveries' numbers, from 'webhook show'.") var deliveries: [Int64]

        func run() async throws {
            try await farm.each(deliveries, { "delivery \($0)" }) { client, delivery in
                (try await client.redeliver(delivery, of: id), "delivery \(delivery) is sent again")
            }
        }
    }
}

extension WebhookDeliveryState: ExpressibleByArgument {}
extension WebhookEvent: ExpressibleByArgument {}
