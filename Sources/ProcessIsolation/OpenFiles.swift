import Glibc

/// The number of files and connections that this process may have open.
package enum OpenFiles {
    /// More files than any process here needs. A greater limit would slow down programs that loop over all possible
    /// descriptors.
    private static let enough: rlim_t = 65_536

    /// Raises the limit as far as the system allows, because each connection, each upload and each source of a film is
    /// an open file.
    package static func allowMany() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, OpenFiles.enough)
        guard wanted > limit.rlim_cur else { return }
        limit.rlim_cur = wanted
        // If this fails, the old limit stays, and the system refuses further files.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
