import ArgumentParser
import CommandLineInterface
import FarmAPI
import FarmClient

/// `spool publish`: sends films to their destinations again.
struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish", abstract: "Send films to the destinations of their exports again.")

    @OptionGroup var farm: FarmOptions

    @Argument(help: "Exports that name a destination.")
    var ids: [ExportID]

    func run() async throws {
        try await farm.each(ids, \.text) { client, id in
            let export = try await client.publish(id)
            return (export, "the film of \(id) is sent to '\(export.publication?.destination ?? "")' again")
        }
    }
}
