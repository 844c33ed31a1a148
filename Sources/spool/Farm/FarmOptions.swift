import ArgumentParser
import CommandLineInterface
import FarmClient
import Vocabulary

/// Options of every client command: the farm, and the format of the output.
struct FarmOptions: ParsableArguments {
    @OptionGroup var server: ServerOptions

    @Flag(help: "Print JSON.")
    var json = false

    func client() throws -> FarmClient { try server.client() }

    /// Prints records as a table with a header.
    func list<Item: Encodable>(_ items: [Item], _ header: String..., cells: (Item) -> [String]) throws {
        if json { return try Terminal.printFarmJSON(items) }
        Terminal.print(lines: TextTable(header, items.map(cells)).lines)
    }

    /// Prints a sentence, or as JSON the record that it is about.
    func say(_ sentence: String, _ record: some Encodable) throws {
        if json { try Terminal.printFarmJSON(record) } else { Terminal.print(sentence) }
    }

    /// Changes several items one after the other. A failure does not stop the others.
    /// - Parameters:
    ///   - name: the item's name in error messages.
    ///   - change: makes the change, and returns the changed item and a sentence about it.
    /// - Throws: the exit code of the first failure, which has been printed.
    func each<Subject, Changed: Encodable>(
        _ subjects: [Subject], _ name: (Subject) -> String,
        _ change: (FarmClient, Subject) async throws -> (Changed, String)
    ) async throws {
        try await each(subjects, name) { client, subject in
            let (record, sentence) = try await change(client, subject)
            return (record, [sentence])
        }
    }

    /// The same with several lines for each subject.
    func each<Subject, Changed: Encodable>(
        _ subjects: [Subject], _ name: (Subject) -> String,
        _ change: (FarmClient, Subject) async throws -> (Changed, [String])
    ) async throws {
        let client = try client()
        var changed: [Changed] = []
        var first: CommandFailure?
        for subject in subjects {
            do {
                let (record, lines) = try await change(client, subject)
                changed.append(record)
                if !json { for line in lines { Terminal.print(line) } }
            } catch let failure as ClientFailure {
                let failure = CommandFailure(failure, subject: name(subject))
                for line in failure.lines { Terminal.error(line) }
                first = first ?? failure
            }
        }
        if json { try Terminal.printFarmJSON(changed) }
        if let first { throw ExitCode(first.status) }
    }
}
