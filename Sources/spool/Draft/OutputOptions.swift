import ArgumentParser
import DraftModel
import ExportPlan
import ArtifactStore
package import CommandLineInterface
import FoundationEssentials
import Glibc

/// Options of every command that writes a file.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Keep a file that already exists, and end with exit code 73.")
    var noOverwrite = false

    /// Checks before any work whether a file can be created at a path.
    /// - Throws: `CommandFailure`, exit code 73.
    func checkPlace(_ output: String) throws {
        try OutputOptions.refusing { () throws(OutputCheck.Fault) in
            try OutputCheck(output, keepsExisting: noOverwrite).checkPlace()
        }
    }

    /// The suffix of a file's name without a dot; empty where it has none.
    static func suffix(of output: String) -> String {
        let name = output.split(separator: "/").last ?? ""
        return name.contains(".") ? String(name.split(separator: ".").last ?? "") : ""
    }

    /// Checks that standard output takes the bytes of a film or a picture.
    /// - Throws: `CommandFailure`, exit code 64, where it is a terminal.
    static func checkStandardOutput() throws {
        guard isatty(STDOUT_FILENO) != 1 else {
            throw CommandFailure(
                "standard output is a terminal, which cannot show the file; pipe it into a program, or name a file with -o",
                status: ExitStatus.usage)
        }
    }

    /// Writes a whole file or nothing.
    /// - Throws: `CommandFailure`, exit code 73 when a file of that name exists and must stay.
    func write(_ data: Data, to output: String) throws {
        try OutputOptions.write(data, to: output, replacing: !noOverwrite)
    }

    /// Writes a whole file or nothing.
    /// - Throws: `CommandFailure`.
    static func write(_ data: Data, to output: String, replacing: Bool = true) throws {
        let partial = PartialFile(of: output)
        defer { partial.remove() }
        try refusing { () throws(OutputCheck.Fault) in
            try partial.write(data)
            try partial.complete(replacing: replacing)
        }
    }

    /// Creates a directory for outputs, unless it exists.
    /// - Throws: `CommandFailure`, exit code 73, or 75 when the disk is full.
    static func makeDirectory(_ directory: String) throws {
        do throws(DurableFiles.Failure) {
            try DurableFiles().makeFolder(directory)
            var status = stat()
            guard stat(directory, &status) != 0 || status.st_mode & S_IFMT == S_IFDIR else {
                throw DurableFiles.Failure(directory, ENOTDIR)
            }
        } catch {
            let lasts = OutputCheck.Fault.isLasting(error.code)
            throw CommandFailure(
                "the directory '\(directory)' cannot be created: \(error.reason)"
                    + (lasts ? "; name a place that this user may write to" : ""),
                status: lasts ? ExitStatus.cannotCreate : ExitStatus.temporaryFailure)
        }
    }

    /// Checks that no output is one of the files that it is made from.
    /// - Throws: `CommandFailure`, exit code 65.
    static func check(_ outputs: [String], against inputs: [OutputCheck.Input]) throws {
        try refusing { () throws(OutputCheck.Fault) in
            for output in outputs { try OutputCheck(output).check(against: inputs) }
        }
    }

    /// Turns an output's fault into a failure of the command.
    static func refusing(_ check: () throws(OutputCheck.Fault) -> Void) throws {
        do throws(OutputCheck.Fault) {
            try check()
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension OutputCheck.Fault: CommandFailureConvertible {
    package var commandFailure: CommandFailure { CommandFailure(self) }
}

extension CommandFailure {
    /// The failure for an output that must not or cannot be written.
    init(_ fault: OutputCheck.Fault) {
        switch fault.kind {
        case .input:
            let diagnostic = DraftDiagnostic(
                path: fault.place, code: .conflict, message: fault.message, remedy: fault.remedy)
            self.init(DraftError([diagnostic]))
        case .place: self.init(fault.description, status: ExitStatus.cannotCreate)
        case .writing: self.init(fault.description, status: ExitStatus.temporaryFailure)
        }
    }
}

extension CommandFailure {
    /// The failure of a job that was writing outputs. They are written under hidden names, but the message uses the
    /// names that the user gave. When an output's directory is gone or no longer writable, the message says that
    /// instead.
    init(_ failure: JobFailure, writing outputs: [String], places: [String: [String]]) {
        guard let output = outputs.first(where: { PartialFile(of: $0).path == failure.subject }) else {
            self.init(failure, places: places[failure.subject] ?? [])
            return
        }
        do throws(OutputCheck.Fault) {
            try OutputCheck(output).checkPlace()
        } catch {
            self.init(error)
            return
        }
        var failure = failure
        failure.subject = output
        self.init(failure)
    }
}
