import ArgumentParser
import CommandLineInterface
import Operations

/// `spool operations`: lists the operations on colours and pictures.
struct OperationsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operations", abstract: "List the operations on colours and pictures, with their parameters.")

    @Argument(help: "Only this operation.")
    var name: String?

    @Flag(help: "Print everything as JSON.")
    var json = false

    func run() throws {
        let chosen = OperationCatalogue.all.filter { name == nil || $0.name == name }
        guard !chosen.isEmpty else {
            throw ValidationError("there is no operation '\(name ?? "")'; 'spool operations' lists them")
        }
        if json { return try Terminal.printJSON(chosen) }
        for descriptor in chosen {
            Terminal.print("\(descriptor.name): \(descriptor.summary)")
            Terminal.print("  \(descriptor.formula)")
            for parameter in descriptor.parameters {
                let neutral = parameter.neutral.map { ", neutral \($0)" } ?? ""
                Terminal.print(
                    "    \(parameter.name) = \(parameter.default), \(parameter.range.lowerBound) to \(parameter.range.upperBound)\(neutral) (\(parameter.unit)): \(parameter.meaning)"
                )
            }
        }
    }
}
