#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// How wide a terminal is at this moment. Asked anew for every line, because windows change their size.
public enum TerminalSize {
    /// - Returns: at least 2; 80 where the descriptor is no terminal, or one that does not know its size.
    public static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return max(2, Int(size.ws_col))
    }
}
