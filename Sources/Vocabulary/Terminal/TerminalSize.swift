import Glibc

/// The size of a terminal. It is read again for every line, because windows change their size.
package enum TerminalSize {
    /// - Returns: the number of columns, at least 2; 80 when the descriptor is not a terminal or its size is unknown.
    package static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return max(2, Int(size.ws_col))
    }

    /// - Returns: the number of rows, at least 2; 24 when the descriptor is not a terminal or its size is unknown.
    package static func rows(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return max(2, Int(size.ws_row))
    }
}
