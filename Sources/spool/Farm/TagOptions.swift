import ArgumentParser
import CommandLineInterface
import FarmAPI
import FoundationEssentials

/// Options for what is attached to exports: tags and metadata.
struct TagOptions: ParsableArguments {
    @Option(name: .customLong("tag"), help: ArgumentHelp("A tag, by which exports are listed.", valueName: "key=value"))
    var tags: [String] = []

    @Option(help: "Any JSON object, or @FILE for one in a file; it is given back with the export.")
    var metadata: String?

    func validate() throws { _ = try ExportOptions.pairs(tags, "--tag") }

    /// The tags; nil where there are none.
    func tagValues() throws -> [String: String]? {
        let values = try ExportOptions.pairs(tags, "--tag")
        return values.isEmpty ? nil : values
    }

    /// The metadata; nil where there are none.
    /// - Throws: `CommandFailure` unless it is a JSON object.
    func metadataValue() throws -> FreeJSON? {
        guard let metadata else { return nil }
        let data = metadata.hasPrefix("@") ? try InputFile.read(String(metadata.dropFirst())) : Data(metadata.utf8)
        // The server names what is wrong with an object; here is what is no object at all.
        guard let value = try? FarmJSON.decode(FreeJSON.self, from: data), case .object = value else {
            throw CommandFailure(
                "--metadata takes a JSON object, as in '{\"customer\": 7}', or @FILE; got '\(metadata.prefix(100))'",
                status: ExitStatus.usage)
        }
        return value
    }
}
