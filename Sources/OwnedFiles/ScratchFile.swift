import ContentHashing

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

/// Names for temporary files in a directory that several machines may share: `PID-HOST-...`. What a process left that was killed
/// can be told from what others are writing, and removed.
public enum ScratchFile {
    /// A name that no other process gives.
    /// - Parameter label: for the eye.
    public static func name(_ label: String = "") -> String {
        "\(getpid())-\(host)-\(label.isEmpty ? "" : label + "-")\(UInt64.random(in: 0...UInt64.max))"
    }

    /// Removes the files of this machine's processes that are gone.
    public static func removeLeftovers(in directory: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] {  // unreadable: nothing to tidy
            let parts = name.split(separator: "-")
            guard parts.count > 2, parts[1] == host, let process = Int32(parts[0]), isGone(process) else { continue }
            unlink("\(directory)/\(name)")
        }
    }

    /// This machine in a name: process ids mean nothing on another one.
    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return String(ContentHash.of(name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))).prefix(8))
    }()

    static func isGone(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }
}
