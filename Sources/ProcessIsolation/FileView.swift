import CProcessIsolation
import Glibc

/// The directories and files that a sandboxed process may use, besides a few devices. A path that does not exist is left
/// out.
package struct FileView: Hashable, Sendable {
    /// What programs of this machine need, read and executed: libraries, fonts, plug-ins.
    package var system: [String]
    /// What the process reads.
    package var readable: [String]
    /// Directories of which the process sees only what the other lists name in them.
    package var hidden: [String]
    /// What the process reads and writes. It has to exist.
    package var writable: [String]

    package init(system: [String], readable: [String] = [], hidden: [String] = [], writable: [String] = []) {
        self.system = system
        self.readable = readable
        self.hidden = hidden
        self.writable = writable
    }

    /// The places of libraries, fonts, time zones and descriptions of the processors on Linux.
    package static let libraries = [
        "/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/alternatives", "/etc/fonts", "/etc/ld.so.cache",
        "/etc/localtime",
        "/var/cache/fontconfig", "/sys/devices/system/cpu", "/sys/devices/system/node",
    ]

    /// Calls `body` with the view as C takes it.
    func withC<Answer>(_ body: (UnsafePointer<spool_file_view>) -> Answer) -> Answer {
        let lists = [system, readableBesideSystem, hidden, writable].map { paths in paths.filter { $0.hasPrefix("/") } }
        let copies = lists.map { paths in paths.map { UnsafePointer<CChar>(strdup($0)) } }
        defer { copies.joined().forEach { free(UnsafeMutablePointer(mutating: $0)) } }
        return copies[0].withUnsafeBufferPointer { system in
            copies[1].withUnsafeBufferPointer { readable in
                copies[2].withUnsafeBufferPointer { hidden in
                    copies[3].withUnsafeBufferPointer { writable in
                        var view = spool_file_view(
                            system: system.baseAddress, system_count: system.count, readable: readable.baseAddress,
                            readable_count: readable.count, hidden: hidden.baseAddress, hidden_count: hidden.count,
                            writable: writable.baseAddress, writable_count: writable.count)
                        return body(&view)
                    }
                }
            }
        }
    }

    /// The readable paths without those that can be read as libraries already, from which nothing could be executed otherwise.
    private var readableBesideSystem: [String] {
        readable.flatMap { $0 == "/" ? FileView.rootDirectories : [$0] }.filter { path in
            !system.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
    }

    /// The directories in `/`, which itself is replaced, without those that the process gets from the kernel.
    private static var rootDirectories: [String] {
        guard let listing = opendir("/") else { return [] }
        defer { closedir(listing) }
        var found: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if ![".", "..", "dev", "proc", "sys"].contains(name) { found.append("/\(name)") }
        }
        return found
    }
}
