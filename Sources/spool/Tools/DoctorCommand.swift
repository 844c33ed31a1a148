import ArgumentParser
import ArtifactStore
import CommandLineInterface
import ExportPlan
import RenderingProcesses
import Glibc

/// `spool doctor`: checks that everything an export needs is installed, and says how to get what is missing.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check what an export or a farm needs, and say how to install what is missing.",
        discussion: """
            The exit code is 0 when exports can be made on this machine, and 69 when something is missing for that. With --farm it is 0 only when \
            'spool up' can run a farm here, too. The servers of a farm are checked where SPOOL_DATABASE_URL, SPOOL_REDIS_URL or SPOOL_SERVER \
            name them.
            """)

    @OptionGroup var work: WorkOptions

    @Flag(
        help: "Require what 'spool up' needs, too: PostgreSQL, Redis, and the users that they and the rendering processes run as."
    )
    var farm = false

    @Flag(help: "Print the results as JSON.")
    var json = false

    func run() async throws {
        let codecs = try await Renderer.codecs()
        let results =
            codecChecks(codecs)
            + [try await fonts(), plugins(try await Renderer.plugins()), cache(), memory()] + serverPrograms() + serverUsers()
            + [await sandbox()] + (await serverChecks())
        if json {
            try Terminal.printJSON(results)
        } else {
            for library in codecs.libraries { Terminal.print("      \(library.name) \(library.version)") }
            for result in results {
                let state = result.ok ? "ok   " : result.isOptional ? "none " : "BAD  "
                Terminal.print("\(state) \(result.subject): \(result.detail)")
                if let remedy = result.remedy { Terminal.print("      -> \(remedy)") }
            }
        }
        if results.contains(where: { !$0.ok && !$0.isOptional }) { throw ExitCode(ExitStatus.unavailable) }
    }

    struct CheckResult: Encodable {
        var subject: String
        var ok: Bool
        var detail: String
        var remedy: String?
        /// Whether the requested work can be done without it.
        var isOptional = false
    }

    private func codecChecks(_ codecs: InstalledCodecs) -> [CheckResult] {
        let encoders = codecs.encoders.map { encoder in
            CheckResult(
                subject: "encoder \(encoder.name)", ok: encoder.isInstalled,
                detail: encoder.isInstalled ? "is installed" : "is not in this FFmpeg",
                remedy: encoder.isInstalled ? nil : "install a full FFmpeg: apt-get install libavcodec-dev libavcodec-extra")
        }
        return encoders + [
            check("further encoders", codecs.furtherEncoders), check("decoders", codecs.decoders),
            check("muxers", codecs.muxers),
        ]
    }

    private func check(_ subject: String, _ codecs: [InstalledCodecs.Codec]) -> CheckResult {
        let missing = codecs.filter { !$0.isInstalled }.map(\.name)
        return CheckResult(
            subject: subject, ok: missing.isEmpty,
            detail: missing.isEmpty
                ? "all of \(codecs.map(\.name).joined(separator: ", "))" : "missing: \(missing.joined(separator: ", "))",
            remedy: missing.isEmpty ? nil : "install a full FFmpeg: apt-get install libavcodec-extra")
    }

    private func fonts() async throws -> CheckResult {
        let remedy = "install some: apt-get install fonts-dejavu-core, or name their directory in SPOOL_FONT_PATH"
        do {
            let count = try await Renderer.fonts().count
            return CheckResult(
                subject: "fonts", ok: count > 0,
                detail: count > 0 ? "\(count) families; 'spool fonts' lists them" : "none: no text can be drawn",
                remedy: count > 0 ? nil : remedy)
        } catch let failure as CommandFailure {
            let reasons = failure.lines.map { $0.replacing("error: ", with: "") }
            return CheckResult(subject: "fonts", ok: false, detail: reasons.joined(separator: "; "), remedy: remedy)
        }
    }

    /// A machine without plug-ins is not an error, because few drafts use any.
    private func plugins(_ found: FoundPlugins) -> CheckResult {
        let files = found.files + found.ladspaLibraries
        let places = Set(files.map { String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.endIndex)]) }).sorted()
        return CheckResult(
            subject: "plug-ins", ok: true,
            detail: files.isEmpty
                ? "none in \(found.directories.joined(separator: ", "))"
                : "\(files.count) files in \(places.joined(separator: ", ")); 'spool plugins' lists their effects")
    }

    private func cache() -> CheckResult {
        let directory = work.cacheDirectory
        do {
            _ = try DirectoryArtifactStore(directory: directory)
        } catch {
            return CheckResult(
                subject: "cache", ok: false, detail: "'\(directory)' cannot be written",
                remedy: "make it writable, or name another directory with --cache")
        }
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else {
            return CheckResult(subject: "cache", ok: true, detail: directory)
        }
        let free = Int(status.f_bavail) * Int(status.f_frsize) / 1_000_000
        let ok = free > 1000
        return CheckResult(
            subject: "cache", ok: ok, detail: "'\(directory)', \(free) MB free",
            remedy: ok ? nil : "free some space, or name a directory on another disk with --cache")
    }

    private func memory() -> CheckResult {
        // A control group may have less memory than the machine.
        let installed = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let total = (MachineResources().memory.map { Int($0) } ?? installed) / 1_000_000
        let needed = work.slots * 400
        let ok = total > needed
        return CheckResult(
            subject: "memory", ok: ok, detail: "\(total) MB for \(work.slots) processes of at most 400 MB at 1080p",
            remedy: ok ? nil : "use fewer processes: --jobs \(max(1, total / 500))")
    }
}
