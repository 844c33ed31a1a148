import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient
import FoundationEssentials

/// `spool webhook add`.
struct WebhookAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a webhook and print its secret, with which its messages are signed.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "Where messages are sent to: an https address that the farm allows.") var address: String
    @OptionGroup var options: WebhookOptions
    @Option(help: "A file with the secret, whsec_ and 24...64 bytes in base64; by default the farm makes one.")
    var secretFile: String?

    func run() async throws {
        let secret = try secretFile.map { path in
            guard let data = FileManager.default.contents(atPath: path), let text = String(bytes: data, encoding: .utf8) else {
                throw CommandFailure("'\(path)' cannot be read as text", status: ExitStatus.badInput)
            }
            return String(text.prefix { !$0.isWhitespace })
        }
        let issued = try await farm.client().createWebhook(
            NewWebhook(
                address: address, label: options.label, events: options.chosenEvents, progressStep: options.progressStep,
                secret: secret))
        try WebhookText.print(issued, "webhook \(issued.webhook.id) is there, with its secret", farm)
    }
}

/// `spool webhook set`.
struct WebhookChangeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "set", abstract: "Change a webhook.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "The webhook's number.") var id: Int64
    @Option(help: "Where messages are sent to.") var address: String?
    @OptionGroup var options: WebhookOptions

    func run() async throws {
        let change = WebhookChange(
            address: address, label: options.label, events: options.chosenEvents, progressStep: options.progressStep)
        guard change != WebhookChange() else {
            throw ValidationError("name what changes: --address, --label, --event or --progress-step")
        }
        let webhook = try await farm.client().changeWebhook(id, change)
        try farm.say("webhook \(id) is changed: \(WebhookText.events(webhook)) to \(webhook.address)", webhook)
    }
}

/// What creating and changing a webhook have in common.
struct WebhookOptions: ParsableArguments {
    @Option(help: "A name for people.") var label: String?
    @Option(
        name: .customLong("event"),
        help: ArgumentHelp(
            """
            \(WebhookEvent.choices.map(\.rawValue).joined(separator: ", ")); may be repeated. Default: \
            \(WebhookEvent.usual.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "event"))
    var events: [WebhookEvent] = []
    @Option(help: "Percent between two messages about progress, 1...50; by default 25.") var progressStep: Int?

    /// The events; nil where none is given.
    var chosenEvents: [WebhookEvent]? { events.isEmpty ? nil : events }
}

/// `spool webhook test`.
struct WebhookTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test, and print the answer; exit 0 only if the receiver took it.")

    @OptionGroup var farm: FarmOptions
    @Argument(help: "The webhook's number.") var id: Int64

    /// How often the farm is asked for the result.
    private static let interval = Duration.milliseconds(200)
    /// For how many seconds; an attempt takes 15 at most.
    private static let timeout = 60.0

    func run() async throws {
        let client = try farm.client()
        let sent = try await client.testWebhook(id)
        let end = ContinuousClock.now + .seconds(WebhookTestCommand.timeout)
        while ContinuousClock.now < end {
            let found = try await client.deliveries(of: id, limit: 100).items.first { $0.id == sent.id }
            guard let found, found.state == .pending else {
                return try report(found)
            }
            try await Task.sleep(for: WebhookTestCommand.interval)
        }
        throw CommandFailure(
            "delivery \(sent.id) is not sent yet; is there a coordinator that leads? 'spool webhook show \(id)' shows it later",
            status: ExitStatus.temporaryFailure)
    }

    private func report(_ delivery: WebhookDelivery?) throws {
        guard let delivery else {
            throw CommandFailure(
                "the delivery of the test is not listed any more; run the command again", status: ExitStatus.temporaryFailure)
        }
        if farm.json { try Terminal.printFarmJSON(delivery) }
        let result = delivery.message ?? "nothing is known of the answer"
        guard delivery.state == .delivered else {
            throw CommandFailure("webhook \(id): \(result)", status: ExitStatus.unavailable)
        }
        if !farm.json { Terminal.print("webhook \(id): \(result)") }
    }
}
