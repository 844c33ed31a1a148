import ArgumentParser
import ExportPlan
import ProcessIsolation
import Rendering

/// `spool-render sandbox` tries the sandbox of a farm's rendering processes. `spool worker` and `spool doctor` run it.
struct SandboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox",
        abstract: "Enter the sandbox of 'serve --limited', and print as JSON which of its layers do not hold here, and why.")

    @Option(help: "USER:GROUP by number: the user that it becomes, where root starts it.")
    var user: String?

    @Option(help: "The directory of the control group that it enters, which its parent has made.")
    var controlGroup: String?

    @Option(help: "The directory of the farm's store, which the process could write.")
    var store: String?

    func validate() throws { _ = try ProcessIdentity(user) }

    func run() throws {
        let report = try SandboxTrial.run(
            user: try ProcessIdentity(user)?.numbers, controlGroup: controlGroup.map { ControlGroup(directory: $0) },
            store: store)
        print(String(decoding: try MessageLine.encode(report), as: UTF8.self), terminator: "")
    }
}
