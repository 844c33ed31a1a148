import Glibc

/// A control group (cgroup, version 2) for the processes of one program, which limits their memory and their number.
package struct ControlGroup: Sendable {
    /// The group's directory in the file system of control groups.
    package let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// Moves this process into the group. The processes that it starts from now on are in it, too.
    /// - Returns: 0, or the number of the system's error.
    func enter() -> Int32 { ControlGroupFile.writing("0", to: "\(directory)/cgroup.procs") }

    /// Whether the system has ended processes of the group because they exceeded its memory.
    package var hasExceededMemory: Bool {
        let rows = (ControlGroupFile.text("\(directory)/memory.events") ?? "").split(separator: "\n")
        return rows.contains { row in
            let words = row.split(separator: " ")
            return words.count == 2 && words[0] == "oom_kill" && words[1] != "0"
        }
    }

    /// Ends all processes of the group and removes it. The system takes a moment to end them.
    /// - Returns: whether it is gone.
    package func remove() -> Bool {
        // Linux before 5.14 does not have the file; then they are ended by their process group alone.
        _ = ControlGroupFile.writing("1", to: "\(directory)/cgroup.kill")
        return rmdir(directory) == 0 || errno == ENOENT
    }

    func set(_ file: String, _ value: String) throws {
        try ControlGroupFile.write(value, to: "\(directory)/\(file)")
    }
}

/// Reads and writes the files of control groups, each with one call of the system.
enum ControlGroupFile {
    /// The text of a file; nil where it cannot be read.
    static func text(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(file, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// - Throws: `Isolation.Refusal` with the system's reason.
    static func write(_ text: String, to path: String) throws {
        let failure = writing(text, to: path)
        guard failure == 0 else {
            throw Isolation.Refusal(description: "cannot write \(path): \(String(cString: strerror(failure)))")
        }
    }

    /// - Returns: 0, or the number of the system's error.
    static func writing(_ text: String, to path: String) -> Int32 {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return errno }
        defer { close(file) }
        return Glibc.write(file, text, text.utf8.count) < 0 ? errno : 0
    }
}
