import CommandLineInterface
import ContentHashing
import ExportPlan
import Provenance
import RenderingProcesses
import FoundationEssentials

/// The provenance of a film that an export on this machine has made.
extension FilmProvenance {
    /// - Parameters:
    ///   - film: the complete film's path. The files beside it are there, too.
    ///   - jobSeconds: the seconds that each job took which ran, by the key of its artifact.
    ///   - began: when the export began.
    /// - Throws: `CommandFailure` where a file of the export cannot be read.
    init(
        of film: String, _ prepared: DraftPreparation, _ jobSeconds: [ArtifactKey: Double], began: Date
    ) async throws {
        let input = prepared.input
        let files = prepared.locations.filter { !FontLocation.matches($0.key) }.sorted { $0.key < $1.key }
        let sources = files.map { location, hash in
            Source(location: location, sha256: hash, byteCount: prepared.sources[hash]?.facts.byteCount ?? 0)
        }
        let jobs = prepared.plan.jobs.map { job in
            Job(kind: job.kind.rawValue, key: job.key.text, seconds: jobSeconds[job.key])
        }
        let libraries = try await Renderer.codecs().libraries.map { ($0.name, $0.version) }
        self.init(
            film: try File(at: film), files: try prepared.plan.files(beside: film).map { try File(at: $0.name) },
            draft: Draft(
                document: String(decoding: input.document, as: UTF8.self), sha256: ContentHash.of(input.document),
                folder: URL(fileURLWithPath: input.baseDirectory).path, parameters: input.parameters,
                settings: input.settings, clip: input.selection.clip, withoutFilters: !input.selection.hasFilters),
            sources: sources, fonts: prepared.fontsInUse,
            program: Software(
                version: Spool.version, commit: SpoolVersion.commit, renderer: rendererVersion,
                libraries: Dictionary(libraries) { first, _ in first }),
            jobs: jobs, began: began, seconds: Date().timeIntervalSince(began), command: CommandLine.arguments)
    }
}

extension DraftPreparation {
    /// The font files that texts and captions of the draft are drawn with, in the order of their names.
    var fontsInUse: [FilmProvenance.Font] {
        let files = Set(sources.values.flatMap { $0.facts.fonts?.uses.joined() ?? [].joined() })
        return files.map { FilmProvenance.Font(name: $0.name, sha256: $0.contentHash) }
            .sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) }
    }
}

extension FilmProvenance.File {
    /// Reads a file to its end.
    /// - Throws: `CommandFailure` where it cannot be read.
    init(at path: String) throws {
        do throws(ContentHash.ReadError) {
            let found = try ContentHash.ofFile(path)
            self.init(name: String(path.split(separator: "/").last ?? ""), sha256: found.hash, byteCount: found.byteCount)
        } catch {
            throw CommandFailure("'\(path)' cannot be read: \(error.reason)", status: ExitStatus.badInput)
        }
    }
}

extension FilmProvenance {
    /// Reads a provenance from a file.
    /// - Throws: `CommandFailure`, exit code 65, where it cannot be read or is none.
    init(at path: String) throws {
        let text = try InputFile.read(path)
        do throws(Fault) {
            try self.init(reading: text)
        } catch .otherVersion(let version) {
            throw CommandFailure(
                "'\(path)' has version \(version) of the format, and this program reads version \(FilmProvenance.currentVersion); "
                    + "use the version of spool that wrote it", status: ExitStatus.badInput)
        } catch .noProvenance(let reason) {
            throw CommandFailure(
                "'\(path)' is no provenance: \(reason); 'spool export --provenance' and 'spool download --provenance' write one "
                    + "beside a film",
                status: ExitStatus.badInput)
        }
    }
}
