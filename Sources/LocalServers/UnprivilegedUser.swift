import Subprocess
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Whom servers run as that refuse to run as root, and rendering processes that had better not.
public struct UnprivilegedUser: Hashable, Sendable {
    public let name: String
    public let userID: UInt32
    public let groupID: UInt32

    /// The one who calls, or, when that is root, `postgres` or else `nobody`.
    /// - Throws: `LocalServerError` when root finds neither.
    public static func forServers() throws -> UnprivilegedUser? {
        guard geteuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {
            guard let entry = getpwnam(name) else { continue }
            return UnprivilegedUser(name: name, userID: entry.pointee.pw_uid, groupID: entry.pointee.pw_gid)
        }
        throw LocalServerError("PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to run it as")
    }

    /// The one who calls, or, when that is root, somebody who owns nothing else: the media that rendering processes decode may be
    /// anybody's.
    /// - Parameter name: a user's name; empty for `spool-render` or else `nobody`.
    /// - Throws: `LocalServerError` when root names nobody that there is, or itself.
    public static func forRenderers(named name: String) throws -> UnprivilegedUser? {
        guard geteuid() == 0 else { return nil }
        for name in name.isEmpty ? ["spool-render", "nobody"] : [name] {
            guard let entry = getpwnam(name) else { continue }
            guard entry.pointee.pw_uid != 0 else {
                throw LocalServerError("rendering processes may not run as root; name another user")
            }
            return UnprivilegedUser(name: name, userID: entry.pointee.pw_uid, groupID: entry.pointee.pw_gid)
        }
        throw LocalServerError(
            "rendering processes do not run as root, and there is no user '\(name.isEmpty ? "nobody" : name)' to run them as; "
                + "make one with: useradd --system --no-create-home spool-render")
    }

    /// Makes sure that the user may enter every directory on the way to a path.
    /// - Parameters:
    ///   - who: what runs as the user, for the message.
    ///   - remedy: what to do otherwise.
    /// - Throws: `LocalServerError` that names the one that is closed.
    public func checkReaches(
        _ path: String, who: String = "the servers", remedy: String = "choose another --directory"
    ) throws {
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            parts.append(part)
            var status = stat()
            let directory = "/" + parts.joined(separator: "/")
            guard stat(directory, &status) == 0 else { return }  // not there yet: it will be theirs
            let mode = status.st_mode
            let isOpen = mode & S_IXOTH != 0 || (status.st_uid == userID && mode & S_IXUSR != 0)
            guard isOpen || (status.st_gid == groupID && mode & S_IXGRP != 0) else {
                throw LocalServerError(
                    "\(who) run as user '\(name)', who may not enter '\(directory)'; \(remedy)")
            }
        }
    }

    /// Gives a file or directory to the user.
    func own(_ path: String) throws {
        guard chown(path, userID, groupID) == 0 else {
            throw LocalServerError("'\(path)' cannot be given to user '\(name)': \(String(cString: strerror(errno)))")
        }
    }
}

/// A program, by its path, and its arguments.
struct CommandLine {
    var executable: Executable
    var arguments: Arguments

    /// - Parameter user: whom to run it as, nil for the one who calls. That is util-linux's `setpriv`, which becomes the
    ///   program; a user changed between fork and exec would be a library call after a raw `clone`, in which glibc may wait
    ///   forever for threads that the child does not have (swift-subprocess 1.0.2).
    init(_ program: String, _ words: [String], as user: UnprivilegedUser?) {
        guard let user else {
            executable = .path(FilePath(program))
            arguments = Arguments(words)
            return
        }
        executable = .name("setpriv")
        arguments = Arguments(
            ["--reuid", "\(user.userID)", "--regid", "\(user.groupID)", "--clear-groups", "--", program] + words)
    }
}

/// Why a server of one's own did not start.
public struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) {
        self.description = description
    }
}
