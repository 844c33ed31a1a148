import FoundationEssentials
import Subprocess
import SystemPackage
import Glibc

/// The user that servers and rendering processes run as when this program runs as root. Servers refuse to run as root,
/// and rendering processes decode media of strangers.
package struct UnprivilegedUser: Hashable, Sendable {
    package let name: String
    package let userID: UInt32
    package let groupID: UInt32

    package init(name: String, userID: UInt32, groupID: UInt32) {
        self.name = name
        self.userID = userID
        self.groupID = groupID
    }

    /// The calling user; for root, `postgres` or else `nobody`.
    /// - Throws: `LocalServerError` when the caller is root and neither user exists.
    package static func forServers() throws -> UnprivilegedUser? {
        guard geteuid() == 0 else { return nil }
        for name in ["postgres", "nobody"] {
            guard let entry = getpwnam(name) else { continue }
            return UnprivilegedUser(name: name, userID: entry.pointee.pw_uid, groupID: entry.pointee.pw_gid)
        }
        throw LocalServerError("PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody' to run it as")
    }

    /// The calling user; for root, a user that owns nothing else, because rendering processes may decode anybody's
    /// media.
    /// - Parameter name: the name of a user; empty for `spool-render` or else `nobody`.
    /// - Throws: `LocalServerError` when root names itself or a user that does not exist.
    package static func forRenderers(named name: String) throws -> UnprivilegedUser? {
        guard geteuid() == 0 else { return nil }
        for name in name.isEmpty ? ["spool-render", "nobody"] : [name] {
            guard let entry = getpwnam(name) else { continue }
            guard entry.pointee.pw_uid != 0 else {
                throw LocalServerError("rendering processes must not run as root; name another user with --render-user")
            }
            return UnprivilegedUser(name: name, userID: entry.pointee.pw_uid, groupID: entry.pointee.pw_gid)
        }
        throw LocalServerError(
            "rendering processes do not run as root, and there is no user '\(name.isEmpty ? "nobody" : name)' to run them as; "
                + "create one with: useradd --system --no-create-home spool-render")
    }

    /// Checks that the user may enter every directory on the way to a path.
    /// - Parameters:
    ///   - who: what runs as the user, for the message.
    ///   - remedy: how to correct the error, for the message.
    /// - Throws: `LocalServerError` that names the first directory that is closed to the user.
    package func checkReaches(
        _ path: String, who: String = "the servers", remedy: String = "choose another --directory"
    ) throws {
        let path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        var parts: [Substring] = []
        for part in path.split(separator: "/") {
            parts.append(part)
            var status = stat()
            let directory = "/" + parts.joined(separator: "/")
            guard stat(directory, &status) == 0 else { return }  // it does not exist yet and will belong to the user
            let mode = status.st_mode
            let isOpen = mode & S_IXOTH != 0 || (status.st_uid == userID && mode & S_IXUSR != 0)
            guard isOpen || (status.st_gid == groupID && mode & S_IXGRP != 0) else {
                throw LocalServerError(
                    "\(who) run as user '\(name)', who may not enter '\(directory)'; \(remedy)")
            }
        }
    }

    /// Makes the user the owner of a file or directory.
    /// - Throws: `LocalServerError` where the system refuses.
    package func own(_ path: String) throws {
        guard chown(path, userID, groupID) == 0 else {
            throw LocalServerError("'\(path)' cannot be given to user '\(name)': \(String(cString: strerror(errno)))")
        }
    }
}

/// The path of a program, and its arguments.
struct CommandLine {
    var executable: Executable
    var arguments: Arguments

    /// - Parameter user: the user that the program runs as; nil for the calling user. Another user is set by
    ///   util-linux's `setpriv`, which then becomes the program. Setting it between fork and exec would call glibc
    ///   after a raw `clone`, where glibc may wait forever for threads that the child does not have (swift-subprocess
    ///   1.0.2).
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

/// Why a private server did not start.
package struct LocalServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
