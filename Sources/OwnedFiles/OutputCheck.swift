#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Looks at the place of an output before any work is done for it: whether it can be written at all, and whether writing it would destroy
/// one of the files that it is made from. Every command that writes a file asks this first.
public struct OutputCheck: Sendable {
    /// A file that has to stay as it is.
    public struct Input: Hashable, Sendable {
        /// What it is to its user: `mainTrackClips[0].url`, `the draft`.
        public var place: String
        public var path: String

        public init(place: String, path: String) {
            self.place = place
            self.path = path
        }
    }

    /// Why the output must not or cannot be written.
    public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        public enum Kind: Hashable, Sendable {
            /// It is one of the inputs.
            case input
            /// It cannot be created there, or a file that is there stays.
            case place
            /// It could not be written; trying again may help.
            case writing
        }

        public var kind: Kind
        /// Of an input, what it is to its user; else empty.
        public var place = ""
        public var message: String
        public var remedy: String

        public var description: String {
            (place.isEmpty ? "" : place + ": ") + message + (remedy.isEmpty ? "" : "; " + remedy)
        }

        /// A file that is there, and that the user wants to keep.
        static func kept(_ output: String) -> Fault {
            Fault(
                kind: .place, message: "'\(output)' exists and is kept",
                remedy: "name another file, or leave --no-overwrite out")
        }

        /// - Parameter code: the system's error number.
        static func unwritten(_ output: String, _ code: Int32) -> Fault {
            Fault(kind: .writing, message: "'\(output)' cannot be written: \(String(cString: strerror(code)))", remedy: "")
        }
    }

    /// The output's path.
    public let output: String
    private let keepsExisting: Bool

    /// - Parameter keepsExisting: whether a file that is there already is to stay.
    public init(_ output: String, keepsExisting: Bool = false) {
        self.output = output
        self.keepsExisting = keepsExisting
    }

    /// - Throws: when a file cannot be created there, or there is one that is to stay.
    public func checkPlace() throws(Fault) {
        guard !output.isEmpty else { throw fault("the output has no name", "name a file") }
        if let status = OutputCheck.status(of: output) {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw fault("'\(output)' is a directory", "name a file in it")
            default: throw fault("'\(output)' is no regular file and would be replaced by one", "name another place")
            }
            guard !keepsExisting else { throw Fault.kept(output) }
        } else if output.hasSuffix("/") {
            throw fault("'\(output)' names a directory", "name a file in it")
        }
        try checkFolder()
    }

    /// - Parameter inputs: what the output is made from; those that are not there are left out.
    /// - Throws: when the output is one of them, by whatever name and through whatever links.
    public func check(against inputs: some Sequence<Input>) throws(Fault) {
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

    /// Creates a file there under a hidden name, which is what will be done, and takes it away again.
    private func checkFolder() throws(Fault) {
        let partial = PartialFile(of: output)
        let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        guard let status = OutputCheck.status(of: folder) else {
            throw fault("the directory '\(folder)' for '\(output)' does not exist", "create it with: mkdir -p '\(folder)'")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw fault("'\(folder)' is no directory", "name another place") }
        let descriptor = open(partial.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw fault(
                "'\(output)' cannot be created: \(reason)", "name a place that this user may write, or change its permissions")
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
