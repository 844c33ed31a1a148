import CProcessIsolation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a process gives up for good before it does anything dangerous, or takes from others before it knows anything secret. To
/// be called before the process has threads.
///
/// Where the system does not allow something, as containers often do not, that is told by `false`, and the rest holds all the
/// same.
public enum Isolation {
    /// Keeps what is open and reaches nothing else over the network.
    @discardableResult
    public static func leaveNetwork() -> Bool { spool_leave_network() == 0 }

    /// From now on no program that this one starts has more rights than it has itself.
    @discardableResult
    public static func takeNoNewPrivileges() -> Bool { spool_no_new_privileges() == 0 }

    /// Gives up all capabilities.
    @discardableResult
    public static func dropCapabilities() -> Bool { spool_drop_capabilities() == 0 }

    /// Refuses system calls that lead to other processes, to the kernel or to the network.
    @discardableResult
    public static func refuseSystemCalls() -> Bool { spool_refuse_system_calls() == 0 }

    /// Keeps memory and environment from other processes of the same user.
    @discardableResult
    public static func hide() -> Bool { spool_hide() == 0 }

    /// Becomes another user with one group, for good; only root can.
    /// - Throws: `Refusal`: it would be wrong to go on as root.
    public static func become(user: UInt32, group: UInt32) throws {
        let code = spool_become(user, group)
        guard code == 0 else {
            throw Refusal(description: "cannot become user \(user) with group \(group): \(String(cString: strerror(code)))")
        }
    }

    /// Why the system would not.
    public struct Refusal: Error, CustomStringConvertible {
        public let description: String
    }
}
