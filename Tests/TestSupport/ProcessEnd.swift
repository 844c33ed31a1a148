/// A shell function for tests that wait for the end of processes which are not the shell's children. The kernel says
/// when a process has ended (pidfd), so nothing is asked again and again. A zombie counts as ended.
enum ProcessEnd {
    /// Defines `until_ended PID...`. A process that does not exist has ended.
    static let function = """
        until_ended() {
            /usr/bin/python3 -c '
        import os, select, sys
        for process in map(int, sys.argv[1:]):
            try:
                descriptor = os.pidfd_open(process)
            except ProcessLookupError:
                continue
            end = select.poll()
            end.register(descriptor, select.POLLIN)
            end.poll()
            os.close(descriptor)
        ' "$@"
        }

        """
}
