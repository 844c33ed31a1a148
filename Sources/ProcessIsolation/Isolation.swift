import CProcessIsolation
import Glibc

/// Rights that a process drops permanently before it does anything dangerous, or secrets that it protects from other
/// processes. The functions have to be called before the process has threads. Where the system does not allow a step, the
/// function returns `false`.
package enum Isolation {
    /// From now on, programs that this process starts cannot have more rights than the process itself.
    @discardableResult
    package static func takeNoNewPrivileges() -> Bool { spool_no_new_privileges() == 0 }

    /// Hides memory and environment from other processes of the same user.
    @discardableResult
    package static func hide() -> Bool { spool_hide() == 0 }

    /// Becomes another user with a single group, for good; only root can do that.
    /// - Throws: `Refusal`, because it would be wrong to go on as root.
    package static func become(user: UInt32, group: UInt32) throws {
        let code = spool_become(user, group)
        guard code == 0 else {
            throw Refusal(
                description: "cannot become user \(user) with group \(group): \(String(cString: strerror(code))); only root can")
        }
    }

    /// The system's reason for a refusal.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }
}
