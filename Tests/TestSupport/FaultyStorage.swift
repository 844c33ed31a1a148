import FoundationEssentials

/// Storage that fails. A small C library (`Tests/Faults/faulty_storage.c`), built by the tests and preloaded before the C library, makes calls on chosen
/// files fail as a broken disk or a network file system does. Child processes have the same faults.
package struct FaultyStorage: Sendable {
    /// The calls that fail.
    package enum Call: String, Sendable {
        case open, read, write
    }

    /// The error that a call returns, by its name; `short` ends a file early without an error.
    package enum Fault: String, Sendable, CaseIterable {
        case inputOutput = "EIO"
        case short = "SHORT"
        case full = "ENOSPC"
        case noMemory = "ENOMEM"
        case denied = "EACCES"
        case tooManyFiles = "EMFILE"
    }

    private let library: String

    /// The library's code, which the fault tests use, too.
    private static var source: String {
        var tests = URL(fileURLWithPath: #filePath)
        for _ in 0..<2 { tests.deleteLastPathComponent() }
        return tests.appendingPathComponent("Faults/faulty_storage.c").path
    }

    /// Builds the library.
    /// - Parameter directory: the directory for the library.
    package init(in directory: String) async throws {
        library = "\(directory)/faulty-storage.so"
        let outcome = try await ShellTool.run(
            "cc -shared -fPIC -O1 -Wall -Wextra -Werror '\(FaultyStorage.source)' -o '\(library)' -ldl")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: "cc: \(outcome.errors)") }
    }

    /// The environment in which calls fail.
    /// - Parameters:
    ///   - part: a text; the faults concern files whose whole path contains it. Several texts are separated by `|`, and
    ///     the path has to contain each of them. The path has to end with a text that is followed by `$`.
    ///   - offset: the first byte that cannot be read or written; calls before it succeed.
    package func environment(_ fault: Fault, on call: Call, ofFiles part: String, from offset: Int = 0) -> [String: String] {
        [
            "LD_PRELOAD": library, "LD_SPOOL_FAULT": fault.rawValue, "LD_SPOOL_FAULT_CALL": call.rawValue,
            "LD_SPOOL_FAULT_FILE": part, "LD_SPOOL_FAULT_OFFSET": "\(offset)",
        ]
    }

    /// The environment in which every read of certain files is delayed.
    /// - Parameter part: a text; reads of files whose whole path contains it are delayed.
    package func environment(slowingReadsOf part: String, milliseconds: Int) -> [String: String] {
        [
            "LD_PRELOAD": library, "LD_SPOOL_FAULT_PAUSE": "\(milliseconds)", "LD_SPOOL_FAULT_CALL": Call.read.rawValue,
            "LD_SPOOL_FAULT_FILE": part,
        ]
    }

    /// The environment in which reads of certain files never return.
    /// - Parameter part: a text; reads of files whose whole path contains it wait for ever.
    package func environment(stallingReadsOf part: String) -> [String: String] {
        [
            "LD_PRELOAD": library, "LD_SPOOL_FAULT_PAUSE": "forever", "LD_SPOOL_FAULT_CALL": Call.read.rawValue,
            "LD_SPOOL_FAULT_FILE": part,
        ]
    }
}
