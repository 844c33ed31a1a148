import ArgumentParser
import ArtifactStore
import CommandLineInterface
import LocalFarm
import RenderingProcesses
import FoundationEssentials
import Glibc

/// Options that several commands share.
struct DraftOptions: ParsableArguments {
    @Argument(help: "The draft, a JSON file; - reads it from standard input.")
    var draft: String

    @OptionGroup var export: ExportOptions

    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp("A directory that sources may lie in; may be repeated. Default: any.", valueName: "directory"))
    var allowedDirectories: [String] = []

    @OptionGroup var remote: RemoteOptions

    @Flag(help: "Take warnings for errors: exit code 65.")
    var strict = false
}

/// Options for the number of processes and the cache of the artifacts.
struct WorkOptions: ParsableArguments {
    @Option(help: "Rendering processes at a time, as far as memory allows. Default: the machine's processors.")
    var jobs: Int?

    @Option(help: "The directory of the cache of finished segments. Default: $XDG_CACHE_HOME/spool.")
    var cache: String?

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1...256, not \(jobs)") }
        if cache == "" { throw ValidationError("--cache must name a directory; leave it out for $XDG_CACHE_HOME/spool") }
    }

    /// How many rendering processes may work at a time.
    var slots: Int { jobs ?? MachineResources().slots }

    /// The pool of rendering processes, with the cache for their artifacts.
    /// - Throws: the same errors as `openCache` where the cache cannot be created.
    func pool() throws -> ChildPool { try pool(early: .none) }

    /// Calls a function with a pool whose first process starts at once, because one will be needed.
    /// - Throws: the same errors as `pool`, and those of the function.
    func withEarlyProcess(_ early: ChildPool.EarlyStart, _ body: (ChildPool) async throws -> Void) async throws {
        try await use(try pool(early: early), body)
    }

    /// Calls a function with a pool whose first process starts at once where the cache has been used before, so that nothing
    /// is created for a command that is refused. Elsewhere the function gets no pool.
    /// - Throws: the same errors as `pool`, and those of the function.
    func withEarlyProcessIfCached(_ body: (ChildPool?) async throws -> Void) async throws {
        guard access(cacheDirectory + "/tmp", W_OK) == 0 else { return try await body(nil) }
        try await use(try pool(early: .first), body)
    }

    private func use(_ pool: ChildPool, _ body: (ChildPool) async throws -> Void) async throws {
        do {
            try await body(pool)
        } catch {
            await pool.close()
            throw error
        }
        await pool.close()
    }

    private func pool(early: ChildPool.EarlyStart) throws -> ChildPool {
        try makeCache()
        return ChildPool(
            try Renderer.process(), store: cacheDirectory, slots: slots, memory: MachineResources().memoryForExport,
            early: early)
    }

    /// Opens the cache for the use of its artifacts, after waiting for a process that removes some.
    /// - Parameter limit: the bytes that artifacts may have there when the command ends; nil for no limit.
    /// - Throws: `CommandFailure` that names the path and the reason: exit code 73 when the cache cannot be created, 75
    ///   when the disk is full.
    func openCache(limit: Int64?) async throws -> LocalCache {
        try makeCache()
        return try await LocalCache(directory: cacheDirectory, limit: limit)
    }

    private func makeCache() throws {
        do throws(DurableFiles.Failure) {
            try DurableFiles().makeFolder(cacheDirectory + "/tmp")
        } catch {
            let isLasting = OutputCheck.Fault.isLasting(error.code)
            throw CommandFailure(
                "the cache '\(cacheDirectory)' cannot be used: '\(error.path)' cannot be created: \(error.reason)"
                    + (isLasting ? "; name another directory with --cache" : ""),
                status: isLasting ? ExitStatus.cannotCreate : ExitStatus.temporaryFailure)
        }
    }

    var cacheDirectory: String {
        if let cache { return cache }
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_CACHE_HOME"], !base.isEmpty { return base + "/spool" }
        return (environment["HOME"] ?? "/tmp") + "/.cache/spool"
    }
}

/// The option of commands that store artifacts, for the size of the cache when they end.
struct CacheLimit: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Size of the cache above which an export removes the longest unused segments, such as 50GB, or never. "
                + "Default: $SPOOL_CACHE_SIZE, else 20GB.", valueName: "size"))
    var cacheSize: String?

    func validate() throws {
        if let cacheSize, Amount.size(cacheSize) == nil {
            throw ValidationError("--cache-size must be \(Amount.sizeForm), not '\(cacheSize)'")
        }
    }

    /// The bytes that artifacts may have in the cache when the command ends; nil for no limit.
    /// - Throws: `CommandFailure`, exit code 64, for a limit in the environment that is no size.
    func bytes() throws -> Int64? {
        let inEnvironment = ProcessInfo.processInfo.environment["SPOOL_CACHE_SIZE"] ?? ""
        let text = cacheSize ?? (inEnvironment.isEmpty ? "20GB" : inEnvironment)
        guard let size = Amount.size(text) else {
            // The option has been checked before.
            throw CommandFailure("SPOOL_CACHE_SIZE must be \(Amount.sizeForm), not '\(text)'", status: ExitStatus.usage)
        }
        return size
    }
}
