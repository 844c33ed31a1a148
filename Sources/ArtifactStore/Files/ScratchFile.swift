import ContentHashing
import FoundationEssentials
import Glibc

/// Names for temporary files in a directory that several machines may share: `PID-HOST-...`. The name shows whether the
/// process that wrote a file is gone, so that its files can be removed.
package enum ScratchFile {
    /// A name that no other process uses.
    /// - Parameter label: a text that helps people to recognise the file.
    package static func name(_ label: String = "") -> String {
        "\(process)-\(host)-\(label.isEmpty ? "" : label + "-")\(UInt64.random(in: 0...UInt64.max))"
    }

    /// The process whose life says whether this process's files are still needed: this process itself. A process that
    /// continues as a child in a process namespace, where it has another number, calls `keepProcess` before.
    private static let process = getpid()

    /// Decides that names have the present process id, also after a fork. The process has to live until the child is gone.
    package static func keepProcess() { _ = process }

    /// Removes the files of this machine's processes that are gone.
    package static func removeLeftovers(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {  // unreadable: nothing to tidy
            if isLeft(name[...]) { unlink("\(directory)/\(name)") }
        }
    }

    /// Removes the hidden folders `.PID-HOST-...` of processes of this machine that are gone, with their contents.
    package static func removeLeftoverFolders(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {  // unreadable: nothing to tidy
            guard name.hasPrefix("."), isLeft(name.dropFirst()) else { continue }
            try? FileManager.default.removeItem(atPath: "\(directory)/\(name)")  // a leftover does no harm
        }
    }

    /// Whether a name belongs to a process of this machine that is gone.
    private static func isLeft(_ name: Substring) -> Bool {
        let parts = name.split(separator: "-")
        guard parts.count > 2, parts[1] == host, let process = Int32(parts[0]) else { return false }
        return isGone(process)
    }

    /// This machine's name in file names, because process ids have a meaning on one machine only.
    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(ContentHash.of(name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))).prefix(8))
    }()

    static func isGone(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }
}
