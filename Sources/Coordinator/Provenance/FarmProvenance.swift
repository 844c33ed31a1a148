package import ArtifactStore
package import BlockingWork
import ExportPlan
package import FarmAPI
package import Provenance
import Vocabulary

/// Finds out how a farm has made a film: of which draft and sources, in which jobs, on which workers. The API's route
/// calls it; `RecordedExport` puts what it finds into the words of a provenance.
///
/// The plan is made again from the draft and the stored facts, and has to have the key of the film. So nothing is said of
/// a film that another version has planned otherwise. No film is read: its hash was stored with it.
package struct FarmProvenance: Sendable {
    private let store: any FarmStore
    private let films: any FilmFiles
    /// Threads for reading and planning drafts, which takes seconds for a long one.
    private let work: BlockingPool
    private let program: FilmProvenance.Software

    /// - Parameters:
    ///   - version: the coordinator's version.
    ///   - commit: the commit that it was built from; empty where that is unknown.
    package init(
        store: any FarmStore, films: any FilmFiles, work: BlockingPool, version: String, commit: String
    ) {
        self.store = store
        self.films = films
        self.work = work
        program = FilmProvenance.Software(version: version, commit: commit, renderer: rendererVersion, libraries: [:])
    }

    /// - Parameters:
    ///   - export: an export that is completed and still has its film.
    ///   - name: the name of the film's file, without a folder; nil for `film` with the usual suffix of its type.
    /// - Throws: `FarmError` `conflict` where the export is history, was planned by another version, or made a picture;
    ///   `notFound` where its film or a picture beside it is gone from the store. `ArtifactError` where the store cannot be
    ///   read, `BlockingPool.Full`.
    package func provenance(of export: Export, named name: String?) async throws -> FilmProvenance {
        guard let source = try await store.source(of: export.id) else {
            throw FarmError(.notFound, "there is no export \(export.id)")
        }
        let facts = try await facts(of: export)
        let plan = try await plan(source, facts)
        guard plan.filmKey == export.filmKey else { throw FarmProvenance.isOfOtherVersion }
        guard let stitch = plan.jobs.lazy.compactMap(\.work.stitchPlan).first else {
            throw FarmError(
                .conflict, "the export made a picture instead of a film, and only films have a provenance")
        }
        let film = name ?? "film.\(stitch.container.fileType.format.suffixes[0])"
        return RecordedExport(
            export: export, farm: try await store.farm(), source: source, facts: facts,
            names: try await names(of: facts, tenant: export.tenant), jobs: try await jobs(of: export, plan),
            film: try await file(film, plan.filmKey, of: export),
            files: try await files(beside: film, of: export), program: program
        ).provenance
    }

    // MARK: What is stored

    /// The facts of the sources, by location.
    private func facts(of export: Export) async throws -> [String: SourceFacts] {
        do {
            return try await store.probeResults(of: export.id).compactMapValues { result in
                guard case .facts(let facts) = result else { return nil }
                return facts
            }
        } catch is DecodingError {
            throw FarmProvenance.isOfOtherVersion
        }
    }

    /// Makes the plan of an export again.
    private func plan(_ source: ExportSource, _ facts: [String: SourceFacts]) async throws -> PlannedExport {
        do {
            return try await work.run(lane: source.tenant) {
                try ExportPlanner(sources: nil).plan(source, probeResults: facts.mapValues(ProbeResult.facts))
            }
        } catch is ExportFailure {
            // The draft was compiled before, so that only its facts can be missing, or this version refuses it.
            throw facts.isEmpty ? FarmProvenance.isHistory : FarmProvenance.isOfOtherVersion
        }
    }

    /// How many jobs are read at a time.
    private static let jobsAtOnce = 1000

    /// The jobs of the plan as they ended, in its order.
    private func jobs(of export: Export, _ plan: PlannedExport) async throws -> [Job] {
        var filter = JobFilter(tenant: export.tenant, export: export.id, limit: FarmProvenance.jobsAtOnce)
        var known: [ArtifactKey: Job] = [:]
        while true {
            let page = try await store.jobs(filter)
            for job in page where job.kind != .probe { known[job.key] = job }
            guard page.count == filter.limit, let last = page.last else { break }
            filter.after = last.id
        }
        let jobs = plan.jobs.compactMap { known[$0.key] }
        guard jobs.count == plan.jobs.count else { throw FarmProvenance.isHistory }
        return jobs
    }

    /// The names of the files that were uploaded or fetched, by the sha256 of their content.
    private func names(of facts: [String: SourceFacts], tenant: Int64) async throws -> [String: String] {
        let uploaded = facts.filter { location, _ in AssetLocation.matches(location) || RemoteLocation.matches(location) }
        var names: [String: String] = [:]
        for hash in Set(uploaded.values.map(\.contentHash)).sorted() {
            names[hash] = try await store.asset(hash, tenant: tenant)?.name
        }
        return names
    }

    // MARK: Files

    /// A file of the export as it was recorded when it was stored.
    private func file(_ name: String, _ key: ArtifactKey, of export: Export) async throws -> FilmProvenance.File {
        guard let sum = try await films.recordedSum(of: key, tenant: export.tenant) else {
            // The next export that needs this file renders it again.
            try await store.forget([key], tenant: export.tenant)
            throw FarmError(
                .notFound, "'\(name)' is no longer in the farm's storage; rerun the export to have it again")
        }
        return FilmProvenance.File(name: name, sha256: sum.hash, byteCount: Int(sum.byteCount))
    }

    private func files(beside film: String, of export: Export) async throws -> [FilmProvenance.File] {
        var files: [FilmProvenance.File] = []
        for picture in export.pictures?.files(beside: film) ?? [] {
            switch picture.content {
            case .artifact(let key): files.append(try await file(picture.name, key, of: export))
            case .text(let text): files.append(FilmProvenance.File(name: picture.name, text: text))
            }
        }
        return files
    }

    // MARK: Faults

    private static let isHistory = FarmError(
        .conflict,
        "the export ended long ago, and the facts about its sources and jobs are no longer kept; rerun it to have a film with "
            + "a provenance")
    private static let isOfOtherVersion = FarmError(
        .conflict,
        "the film was made by another version of spool, which plans it otherwise; rerun the export to have a film of this "
            + "version with a provenance")
}

extension RenderJob {
    /// The plan of the film that the job joins; nil for another job.
    fileprivate var stitchPlan: StitchPlan? {
        guard case .stitch(let plan, _, _, _, _) = self else { return nil }
        return plan
    }
}
