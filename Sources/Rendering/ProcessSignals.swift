import Glibc

/// The signals of the rendering program, whose commands set them before they do anything else. A process is ended by
/// its parent or ends with it; no signal of the terminal or of a file may end it in the middle of its work.
package enum ProcessSignals {
    /// Makes writing to a closed pipe, and past a file size limit, an error instead of the end of the process.
    package static func letWritesFail() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Ignores Ctrl-C, which goes to all processes of the terminal; the parent decides what to do.
    static func leaveInterruptionToParent() { signal(SIGINT, SIG_IGN) }
}
