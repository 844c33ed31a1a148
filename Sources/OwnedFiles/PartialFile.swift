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

/// The hidden file beside an output under which it grows until it is complete: `.NAME.PID.partial`.
public struct PartialFile: Sendable {
    private static let ending = ".partial"

    private let output: String
    private let folder: String
    private let name: String

    /// - Parameter output: the path that the file has in the end.
    public init(of output: String) {
        self.output = output
        folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        name = URL(fileURLWithPath: output).lastPathComponent
    }

    /// Where this process writes it.
    public var path: String { "\(folder)/.\(name).\(getpid())\(PartialFile.ending)" }

    /// Gives the output its name in one step.
    /// - Parameter replacing: whether a file that has the name by now goes.
    /// - Returns: false when that failed; `errno` says why, `EEXIST` that there is one.
    public func complete(replacing: Bool = true) -> Bool {
        if replacing { return rename(path, output) == 0 }
        // A link never takes another file's name, however late that came.
        guard link(path, output) == 0 else { return false }
        unlink(path)
        return true
    }

    public func remove() { unlink(path) }

    /// Removes the partial files of this output whose processes are gone.
    public func removeLeftovers() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {  // unreadable: nothing to tidy
            guard entry.hasPrefix(".\(name)."), entry.hasSuffix(PartialFile.ending) else { continue }
            let process = entry.dropFirst(name.count + 2).dropLast(PartialFile.ending.count)
            guard let identifier = Int32(process), ScratchFile.isGone(identifier) else { continue }
            unlink("\(folder)/\(entry)")
        }
    }
}
