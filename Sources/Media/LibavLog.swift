import CLibavLog

/// libav's own words. Its log callback is global here; the last error line of each thread is kept and attached to the error
/// that is thrown.
enum LibavLog {
    /// Installs the callback, once.
    private static let installed: Void = spool_log_capture()

    /// Prints the next lines of level warning or worse to standard error; a hostile file may say the same a million times.
    static func print(lines: Int) {
        _ = installed
        spool_log_print(Int32(lines))
    }

    /// Starts listening afresh before a call whose failure will be reported.
    static func begin() {
        _ = installed
        spool_log_clear()
    }

    /// The last error line of this thread since `begin`, without libav's object address; nil when it said nothing.
    static var lastLine: String? {
        var line = String(cString: spool_log_last_line())
        if let close = line.firstIndex(of: "]"), line.hasPrefix("[") {
            line = String(line[line.index(after: close)...].drop { $0 == " " })
        }
        return LibraryWords.clean(line)
    }
}
