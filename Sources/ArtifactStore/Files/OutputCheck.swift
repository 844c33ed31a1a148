import FoundationEssentials
import Glibc

/// Checks the path of an output before any work is done for it: whether it can be written, and whether writing it would
/// destroy one of the files that it is made from. Every command that writes a file calls this first.
package struct OutputCheck: Sendable {
    /// A file that must not be overwritten.
    package struct Input: Hashable, Sendable {
        /// What the file is to the user, such as `mainTrackClips[0].url` or `the draft`.
        package var place: String
        package var path: String

        package init(place: String, path: String) {
            self.place = place
            self.path = path
        }
    }

    /// Why the output must not or cannot be written.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Kind: Hashable, Sendable {
            /// The output is one of the inputs.
            case input
            /// The output cannot be created there, or an existing file must stay.
            case place
            /// Writing failed; a retry may help.
            case writing
        }

        package var kind: Kind
        /// What the file is to the user when it is an input; otherwise empty.
        package var place = ""
        package var message: String
        package var remedy: String

        package var description: String {
            (place.isEmpty ? "" : place + ": ") + message + (remedy.isEmpty ? "" : "; " + remedy)
        }

        /// The fault for an existing file that the user wants to keep.
        static func kept(_ output: String) -> Fault {
            Fault(
                kind: .place, message: "'\(output)' exists and is kept",
                remedy: "name another file, or leave --no-overwrite out")
        }

        /// The fault for a file that the system refused to write.
        /// - Parameter code: the value of `errno`.
        package static func unwritten(_ output: String, _ code: Int32) -> Fault {
            if code == ENOENT {
                return Fault(
                    kind: .place, message: "'\(output)' cannot be written: its directory no longer exists",
                    remedy: "create the directory again, or name another place")
            }
            let reason = "'\(output)' cannot be written: \(String(cString: strerror(code)))"
            guard isLasting(code) else { return Fault(kind: .writing, message: reason, remedy: "") }
            return Fault(kind: .place, message: reason, remedy: "name a place that this user may write to")
        }

        /// Whether an error is permanent, so that a retry cannot help. A full disk may have room again.
        /// - Parameter code: the value of `errno`.
        package static func isLasting(_ code: Int32) -> Bool {
            [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, EROFS, ENAMETOOLONG, ELOOP, EBADF].contains(code)
        }
    }

    /// The path of the output.
    package let output: String
    private let keepsExisting: Bool

    /// - Parameter keepsExisting: whether an existing file must stay.
    package init(_ output: String, keepsExisting: Bool = false) {
        self.output = output
        self.keepsExisting = keepsExisting
    }

    /// - Throws: `Fault` when a file cannot be created there, or when an existing file must stay.
    package func checkPlace() throws(Fault) {
        guard !output.isEmpty else { throw fault("the output has no name", "name a file") }
        if let status = OutputCheck.status(of: output) {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw fault("'\(output)' is a directory", "name a file in it")
            default: throw fault("'\(output)' is not a regular file and would be replaced by one", "name another place")
            }
            guard !keepsExisting else { throw Fault.kept(output) }
        } else if output.hasSuffix("/") {
            throw fault("'\(output)' names a directory", "name a file in it")
        }
        try checkFolder()
    }

    /// - Parameter inputs: the files that the output is made from; files that do not exist are skipped.
    /// - Throws: `Fault` when the output is one of them, under any name and through any links.
    package func check(against inputs: some Sequence<Input>) throws(Fault) {
        guard let status = OutputCheck.status(of: output) else { return }
        for input in inputs {
            guard let other = OutputCheck.status(of: input.path), other.st_dev == status.st_dev, other.st_ino == status.st_ino
            else { continue }
            throw Fault(
                kind: .input, place: input.place,
                message: "the output '\(output)' is this file itself and would destroy it",
                remedy: "name another output")
        }
    }

    /// Whether a regular file exists at the output's path, which the output would replace.
    package var replacesFile: Bool { OutputCheck.status(of: output).map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    /// Creates a file under a hidden name in the output's folder, as the real output will be, and removes it again.
    private func checkFolder() throws(Fault) {
        let partial = PartialFile(of: output)
        let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        guard let status = OutputCheck.status(of: folder) else {
            throw fault("the directory '\(folder)' for '\(output)' does not exist", "create it with: mkdir -p '\(folder)'")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw fault("'\(folder)' is not a directory", "name another place") }
        let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            guard Fault.isLasting(code) else { throw .unwritten(output, code) }
            let reason = String(cString: strerror(code))
            throw fault(
                "'\(output)' cannot be created: \(reason)", "name a place that this user may write to, or change its permissions")
        }
        close(descriptor)
        partial.remove()
    }

    private func fault(_ message: String, _ remedy: String) -> Fault { Fault(kind: .place, message: message, remedy: remedy) }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }
}
