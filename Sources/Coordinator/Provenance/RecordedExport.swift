import ContentHashing
import ExportPlan
import FarmAPI
import Provenance
import FoundationEssentials

/// Everything that a farm knows of a completed export, and the provenance of the film that follows from it. It is pure;
/// `FarmProvenance` reads it from the stores.
struct RecordedExport: Sendable {
    var export: Export
    /// The id of the farm.
    var farm: String
    var source: ExportSource
    /// The facts of the sources and font requests, by location.
    var facts: [String: SourceFacts]
    /// The names of the files that were uploaded or fetched, by the sha256 of their content.
    var names: [String: String]
    /// The jobs of the plan, in its order.
    var jobs: [Job]
    var film: FilmProvenance.File
    /// The files beside the film.
    var files: [FilmProvenance.File]
    var program: FilmProvenance.Software

    var provenance: FilmProvenance {
        FilmProvenance(
            film: film, files: files, draft: draft, sources: sources, fonts: fonts, program: program,
            jobs: jobs.map(RecordedExport.record), began: export.createdAt,
            seconds: export.finishedAt?.timeIntervalSince(export.createdAt) ?? 0,
            command: ["spool", "reproduce", film.name + FilmProvenance.suffix],
            export: FilmProvenance.FarmExport(id: export.id.text, label: export.label, farm: farm))
    }

    private var draft: FilmProvenance.Draft {
        FilmProvenance.Draft(
            document: source.document, sha256: ContentHash.of(source.document.utf8), folder: "",
            parameters: source.parameters, settings: source.settings, clip: nil, withoutFilters: false,
            name: source.revision?.name, revision: source.revision?.number)
    }

    private var sources: [FilmProvenance.Source] {
        facts.filter { !FontLocation.matches($0.key) }.sorted { $0.key < $1.key }.map { location, facts in
            let isNamed = AssetLocation.matches(location) || RemoteLocation.matches(location)
            return FilmProvenance.Source(
                location: location, sha256: facts.contentHash, byteCount: facts.byteCount,
                name: isNamed ? names[facts.contentHash] : nil)
        }
    }

    private var fonts: [FilmProvenance.Font] {
        Set(facts.values.flatMap { $0.fonts?.uses.joined() ?? [].joined() })
            .map { FilmProvenance.Font(name: $0.name, sha256: $0.contentHash) }
            .sorted { ($0.name, $0.sha256) < ($1.name, $1.sha256) }
    }

    /// A job that was reused has no seconds. A job whose start nobody reported counts from its dispatch.
    private static func record(_ job: Job) -> FilmProvenance.Job {
        let start = job.startedAt ?? job.dispatchedAt
        let seconds = start.flatMap { start in job.finishedAt?.timeIntervalSince(start) }
        return FilmProvenance.Job(
            kind: job.kind.rawValue, key: job.key.text, seconds: job.reused ? nil : seconds, worker: job.worker,
            attempt: job.attempt > 0 ? job.attempt : nil, reused: job.reused)
    }
}

extension FilmProvenance.File {
    /// A file that the farm makes when it is asked for.
    init(name: String, text: String) {
        self.init(name: name, sha256: ContentHash.of(text.utf8), byteCount: text.utf8.count)
    }
}
