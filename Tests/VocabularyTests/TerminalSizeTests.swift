import Vocabulary
import Testing
import Glibc

@Suite("The width of a terminal")
struct TerminalSizeTests {
    @Test("The width is current, also after the window has changed its size")
    func resized() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        for columns in [40, 200, 71] {
            var size = winsize(ws_row: 20, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
            #expect(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
            #expect(TerminalSize.columns(of: terminal) == columns)
        }
    }

    @Test("The width is 80 without a terminal, or with one that does not know its size")
    func unknown() throws {
        let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(terminal >= 0)
        defer { close(terminal) }
        #expect(TerminalSize.columns(of: terminal) == 80)
        #expect(TerminalSize.columns(of: -1) == 80)
    }
}
