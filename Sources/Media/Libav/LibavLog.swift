import CLibavLog

/// Captures libav's log messages. libav's log callback is global; the last error line of each thread is kept and
/// attached to the error that is thrown.
enum LibavLog {
    /// Installs the callback, once.
    private static let installed: Void = spool_log_capture()

    /// Prints the next `lines` lines of level warning or worse to standard error. The number is limited because a
    /// hostile file may cause the same line a million times.
    static func print(lines: Int) {
        _ = installed
        spool_log_print(Int32(lines))
    }

    /// Clears the captured line before a call whose failure will be reported.
    static func begin() {
        _ = installed
        spool_log_clear()
    }

    /// The last error line of this thread since `begin`, without libav's object address; nil if there was none.
    static var lastLine: String? {
        var line = String(cString: spool_log_last_line())
        if let close = line.firstIndex(of: "]"), line.hasPrefix("[") {
            line = String(line[line.index(after: close)...].drop { $0 == " " })
        }
        return LibraryMessage.clean(line)
    }
}
