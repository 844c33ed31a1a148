import ArgumentParser
import ArtifactStore
import RenderMessages

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `spool doctor`: is everything there that an export needs, and if not, how to get it.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check what an export or a farm needs and say how to mend what is missing.",
        discussion: """
            The exit code is 0 when exports can be made on this machine, and 69 when something is missing for that. With --farm it is 0 only when \
            'spool up' can run a farm here, too. The servers of a farm are checked where SPOOL_DATABASE_URL, SPOOL_REDIS_URL or SPOOL_SERVER \
            name them.
            """)

    @OptionGroup var work: WorkOptions

    @Flag(help: "Require what 'spool up' needs, too: PostgreSQL, Redis, and users whom they and rendering processes run as.")
    var farm = false

    @Flag(help: "Print the findings as JSON.")
    var json = false

    func run() async throws {
        let codecs = try await Renderer.codecs()
        let findings =
            codecFindings(codecs)
            + [try await fonts(), plugins(try await Renderer.plugins()), cache(), memory()] + serverPrograms() + serverUsers()
            + (await serverFindings())
        if json {
            try Terminal.printJSON(findings)
        } else {
            for library in codecs.libraries { Terminal.print("      \(library.name) \(library.version)") }
            for finding in findings {
                let state = finding.ok ? "ok   " : finding.isOptional ? "none " : "BAD  "
                Terminal.print("\(state) \(finding.subject): \(finding.detail)")
                if let remedy = finding.remedy { Terminal.print("      -> \(remedy)") }
            }
        }
        if findings.contains(where: { !$0.ok && !$0.isOptional }) { throw ExitCode(ExitStatus.unavailable) }
    }

    struct Finding: Encodable {
        var subject: String
        var ok: Bool
        var detail: String
        var remedy: String?
        /// Whether what was asked for can be done without it.
        var isOptional = false
    }

    private func codecFindings(_ codecs: InstalledCodecs) -> [Finding] {
        let encoders = codecs.encoders.map { encoder in
            Finding(
                subject: "encoder \(encoder.name)", ok: encoder.isInstalled,
                detail: encoder.isInstalled ? "is there" : "is not in this FFmpeg",
                remedy: encoder.isInstalled ? nil : "install a full FFmpeg: apt-get install libavcodec-dev libavcodec-extra")
        }
        return encoders + [finding("further encoders", codecs.furtherEncoders), finding("decoders", codecs.decoders)]
    }

    private func finding(_ subject: String, _ codecs: [InstalledCodecs.Codec]) -> Finding {
        let missing = codecs.filter { !$0.isInstalled }.map(\.name)
        return Finding(
            subject: subject, ok: missing.isEmpty,
            detail: missing.isEmpty
                ? "all of \(codecs.map(\.name).joined(separator: ", "))" : "missing: \(missing.joined(separator: ", "))",
            remedy: missing.isEmpty ? nil : "install a full FFmpeg: apt-get install libavcodec-extra")
    }

    private func fonts() async throws -> Finding {
        let remedy = "install some: apt-get install fonts-dejavu-core, or name their directory in SPOOL_FONT_PATH"
        do {
            let count = try await Renderer.fonts().count
            return Finding(
                subject: "fonts", ok: count > 0,
                detail: count > 0 ? "\(count) families; 'spool fonts' lists them" : "none: no text can be drawn",
                remedy: count > 0 ? nil : remedy)
        } catch let failure as CommandFailure {
            let reasons = failure.lines.map { $0.replacing("error: ", with: "") }
            return Finding(subject: "fonts", ok: false, detail: reasons.joined(separator: "; "), remedy: remedy)
        }
    }

    /// None is no fault: few drafts call any.
    private func plugins(_ found: FoundPlugins) -> Finding {
        let places = Set(found.files.map { String($0.path[..<($0.path.lastIndex(of: "/") ?? $0.path.endIndex)]) }).sorted()
        return Finding(
            subject: "plug-ins", ok: true,
            detail: found.files.isEmpty
                ? "none in \(found.directories.joined(separator: ", "))"
                : "\(found.files.count) files in \(places.joined(separator: ", ")); 'spool plugins' lists what they can")
    }

    private func cache() -> Finding {
        let directory = work.cacheDirectory
        do {
            _ = try DirectoryArtifactStore(directory: directory)
        } catch {
            return Finding(
                subject: "cache", ok: false, detail: "'\(directory)' cannot be written",
                remedy: "make it writable, or name another directory with --cache")
        }
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else {
            return Finding(subject: "cache", ok: true, detail: directory)
        }
        let free = Int(status.f_bavail) * Int(status.f_frsize) / 1_000_000
        let ok = free > 1000
        return Finding(
            subject: "cache", ok: ok, detail: "'\(directory)', \(free) MB free",
            remedy: ok ? nil : "free some space, or name a directory on another disk with --cache")
    }

    private func memory() -> Finding {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let total = pages * sysconf(Int32(_SC_PAGESIZE)) / 1_000_000
        let needed = work.slots * 400
        let ok = total > needed
        return Finding(
            subject: "memory", ok: ok, detail: "\(total) MB for \(work.slots) processes of at most 400 MB at 1080p",
            remedy: ok ? nil : "use fewer processes: --jobs \(max(1, total / 500))")
    }
}
