import ArtifactStore
import Synchronization
package import FoundationEssentials
import Glibc

/// Writes all results to standard output; commands call it through `Terminal`. Text is written at once. A write error
/// is remembered, the command finishes its work, and the program then ends with a message and an exit code for the
/// error. Otherwise a script that writes a result to a full disk would go on with an empty file.
package enum StandardOutput {
    /// The first value of `errno` of a failed write; nothing is written after it.
    private static let failure = Mutex<Int32?>(nil)

    /// Writes text.
    package static func write(_ text: String) { write(Data(text.utf8)) }

    /// Writes all bytes, unless an earlier write failed.
    package static func write(_ bytes: Data) {
        failure.withLock { failure in
            var rest = bytes[...]
            while failure == nil, !rest.isEmpty {
                let count = rest.withUnsafeBytes { posixWrite(STDOUT_FILENO, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count < 0, errno == EAGAIN {
                    waitUntilWritable()
                } else if count == 0 || errno != EINTR {
                    failure = count == 0 ? EIO : errno
                }
            }
        }
    }

    /// Reports whether standard output could not be written.
    /// - Parameter status: the exit code of the command; a failure of its own takes precedence.
    /// - Returns: the program's exit code.
    package static func end(_ status: Int32) -> Int32 {
        guard let code = failure.withLock({ $0 }) else { return status }
        // The reader of a pipe, such as `head`, may close it early. The exit code is then that of a program ended by
        // SIGPIPE.
        if code == EPIPE { return status == 0 ? 128 + SIGPIPE : status }
        Terminal.error("error: standard output cannot be written: \(String(cString: strerror(code)))")
        guard status == 0 else { return status }
        return OutputCheck.Fault.isLasting(code) ? ExitStatus.cannotCreate : ExitStatus.temporaryFailure
    }

    /// Waits until a write can continue: a shared pipe may be non-blocking because of another program.
    private static func waitUntilWritable() {
        var watched = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&watched, 1, -1)
    }
}

/// The program's first three file descriptors at its start.
package enum StandardStreams {
    /// Opens /dev/null for each closed descriptor. Otherwise the next file that is opened would get the number of
    /// standard output, and results would be written into that file.
    package static func secure() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // All lower numbers are open, so the system assigns this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // A closed pipe must make the write fail and not end the program in the middle of its work. The signal is
        // handled instead of ignored, because programs started by this one would inherit that it is ignored.
        signal(SIGPIPE) { _ in }
    }
}

/// The system's `write`; inside the type its method of the same name would be called.
private func posixWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(file, bytes, count) }
