import Rendering

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RenderingProcess {
    /// This program, started again as a rendering process; `SPOOL_RENDER_EXECUTABLE` names another one, such as a script
    /// that starts it under a debugger.
    /// - Parameter memory: megabytes that it may use; nil limits nothing.
    static func own(memory: Int? = nil) throws -> RenderingProcess {
        let words = ["render-process"] + (memory.map { ["--limited", "--memory", "\($0)"] } ?? [])
        if let other = ProcessInfo.processInfo.environment["SPOOL_RENDER_EXECUTABLE"], !other.isEmpty {
            return RenderingProcess(executable: other, arguments: words)
        }
        return RenderingProcess(executable: try ownExecutable(), arguments: words)
    }

    /// This program's file.
    static func ownExecutable() throws -> String {
        do {
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        } catch {
            throw CommandFailure("cannot find its own program file in /proc", status: ExitStatus.internalError)
        }
    }
}
