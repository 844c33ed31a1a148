import ExportPlan

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

/// The hidden file beside a film under which it grows until it is complete: `.NAME.PID.partial`.
///
/// `LocalExport` has it written, moves it to the film's name, and removes what exports that were killed have left there.
struct PartialFilm {
    private static let ending = "partial"

    private let output: String
    private let folder: String
    private let name: String

    /// - Parameter output: the film's path.
    init(of output: String) {
        self.output = output
        folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        name = URL(fileURLWithPath: output).lastPathComponent
    }

    /// Where this process writes the film.
    var path: String { "\(folder)/.\(name).\(getpid()).\(PartialFilm.ending)" }

    /// Gives the film its name in one step.
    /// - Throws: `JobFailure`, class `transient`.
    func complete() throws {
        guard rename(path, output) == 0 else {
            throw JobFailure(.transient, subject: output, message: "cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    func remove() { unlink(path) }

    /// Removes the partial files of this film whose processes are gone.
    func removeLeftovers() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {  // unreadable: nothing to tidy
            guard entry.hasPrefix(".\(name)."), entry.hasSuffix("." + PartialFilm.ending) else { continue }
            let process = entry.dropFirst(name.count + 2).dropLast(PartialFilm.ending.count + 1)
            guard let identifier = Int32(process), kill(identifier, 0) != 0, errno == ESRCH else { continue }
            unlink("\(folder)/\(entry)")
        }
    }
}
