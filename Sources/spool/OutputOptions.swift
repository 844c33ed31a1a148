import ArgumentParser
import DraftModel
import ExportPlan
import OwnedFiles
import RenderMessages

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What every command takes that writes a file.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Leave a file that is there already as it is: exit code 73.")
    var noOverwrite = false

    /// Looks whether a file can be created at a place; done before any work.
    /// - Throws: `CommandFailure`, exit code 73.
    func checkPlace(_ output: String) throws {
        try OutputOptions.refusing { () throws(OutputCheck.Fault) in
            try OutputCheck(output, keepsExisting: noOverwrite).checkPlace()
        }
    }

    /// Writes a file whole, or not at all.
    /// - Throws: `CommandFailure`, exit code 73 where a file has the name by now and stays.
    func write(_ data: Data, to output: String) throws {
        try OutputOptions.write(data, to: output, replacing: !noOverwrite)
    }

    /// Writes a file whole, or not at all.
    /// - Throws: `CommandFailure`.
    static func write(_ data: Data, to output: String, replacing: Bool = true) throws {
        let partial = PartialFile(of: output)
        defer { partial.remove() }
        do {
            try data.write(to: URL(fileURLWithPath: partial.path))
        } catch {
            throw CommandFailure("'\(output)' cannot be written", status: ExitStatus.tryAgain)
        }
        try refusing { () throws(OutputCheck.Fault) in try partial.complete(replacing: replacing) }
    }

    /// Makes a directory for outputs, unless it is there.
    /// - Throws: `CommandFailure`, exit code 73.
    static func makeDirectory(_ directory: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(
                "the directory '\(directory)' cannot be created; name a place that this user may write",
                status: ExitStatus.cannotCreate)
        }
    }

    /// Looks whether outputs are among the files that they are made from.
    /// - Throws: `CommandFailure`, exit code 65.
    static func check(_ outputs: [String], against inputs: [OutputCheck.Input]) throws {
        try refusing { () throws(OutputCheck.Fault) in
            for output in outputs { try OutputCheck(output).check(against: inputs) }
        }
    }

    private static func refusing(_ check: () throws(OutputCheck.Fault) -> Void) throws {
        do throws(OutputCheck.Fault) {
            try check()
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension CommandFailure {
    /// An output that must not or cannot be written.
    init(_ fault: OutputCheck.Fault) {
        switch fault.kind {
        case .input:
            let diagnostic = DraftDiagnostic(
                path: fault.place, code: .conflict, message: fault.message, remedy: fault.remedy)
            self.init(DraftError([diagnostic]))
        case .place: self.init(fault.description, status: ExitStatus.cannotCreate)
        case .writing: self.init(fault.description, status: ExitStatus.tryAgain)
        }
    }
}

extension DraftPreparation {
    /// Every file that the draft is made from.
    /// - Parameter document: the draft's own file; `-` where it came from standard input.
    func inputs(document: String? = nil) async throws -> [OutputCheck.Input] {
        var inputs: [OutputCheck.Input] = []
        if let document, document != "-" { inputs.append(.init(place: "the draft", path: document)) }
        for (path, uses) in places.sorted(by: { $0.key < $1.key }) {
            inputs += uses.map { OutputCheck.Input(place: $0, path: path) }
        }
        let plugins = places.compactMap { path, uses in PluginLocation.name(of: path).map { ($0, uses) } }
        if !plugins.isEmpty {
            let uses = Dictionary(plugins, uniquingKeysWith: { first, _ in first })
            for file in try await Renderer.plugins().files {
                inputs += (uses[file.name] ?? []).map { OutputCheck.Input(place: $0, path: file.path) }
            }
        }
        return inputs
    }

    /// - Parameter document: the draft's own file.
    /// - Throws: `CommandFailure`, exit code 65, when an output is a file that the draft is made from.
    func check(outputs: [String], document: String?) async throws {
        try OutputOptions.check(outputs, against: try await inputs(document: document))
    }
}
