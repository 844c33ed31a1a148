package import FarmAPI
import ContentHashing
import DraftCompiler
import DraftModel
import ExactTime
package import ExportPlan
import FoundationEssentials

/// Turns an accepted export into jobs: first the probes of its sources, then, with their results, the jobs of its plan.
/// It is pure; the leader stores what it returns.
package struct ExportPlanner: Sendable {
    /// The sources that the farm accepts; nil for exports that were accepted before, of which none is refused.
    package var sources: SourceRule?

    package init(sources: SourceRule? = SourceRule()) {
        self.sources = sources
    }

    /// - Parameter allowedDirectories: directories on the workers in which sources named by path may lie.
    package init(allowedDirectories: [String]) {
        sources = SourceRule(allowedDirectories: allowedDirectories)
    }

    /// A probe for each source that may be used.
    /// - Parameter costs: what the jobs' times are predicted with. Nothing else depends on them.
    /// - Throws: `ExportFailure` when the document cannot be read at all.
    package func probes(
        of source: ExportSource, predictedBy costs: CostTable = .builtIn
    ) throws(ExportFailure) -> [(location: String, job: PlannedJob)] {
        let (draft, faults) = Draft.read(Data(source.document.utf8), parameters: source.parameters)
        guard let draft else { throw ExportFailure(faults) }
        let uses = Dictionary(SourceUse.all(in: draft).map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
        let usable = uses.filter { location, use in
            let files = use.fonts?.fileLocations ?? []
            return !location.isEmpty && ([location] + files).allSatisfy { sources?.refusal($0) == nil }
        }
        return usable.sorted { $0.key < $1.key }.enumerated().map { ordinal, found in
            let (location, use) = found
            // An uploaded asset never changes, so exports share its probe. A file under a path may change, so each
            // export probes it.
            let identity = AssetLocation.matches(location) ? location : "\(source.id) \(location)"
            let key = ArtifactKey(ContentHash.of("probe \(rendererVersion) \(identity)".utf8))
            let job = RenderJob.probe(path: location, fonts: use.fonts)
            let weight = JobFeatures(job).map(costs.seconds(of:)) ?? 0
            let demand = DemandPrediction().demand(of: job)
            return (location, PlannedJob(kind: .probe, ordinal: ordinal, key: key, work: job, weight: weight, demand: demand))
        }
    }

    /// The jobs of the export's plan.
    /// - Parameter costs: what the jobs' times are predicted with. Nothing else depends on them.
    /// - Throws: `ExportFailure` with all errors of the draft, the settings and the sources.
    package func plan(
        _ source: ExportSource, probeResults: [String: ProbeResult], predictedBy costs: CostTable = .builtIn
    ) throws(ExportFailure) -> PlannedExport {
        let reading = DraftReading(
            Data(source.document.utf8), parameters: source.parameters,
            settings: ExportSettings.aboutFilm(source.settings))
        guard let draft = reading.draft else { throw ExportFailure(reading.diagnostics) }
        let found = SourceOutcomes(SourceUse.all(in: draft), reported: reading.diagnostics) { use in
            sources?.refusal(use.url).map(SourceOutcome.refused) ?? probeResults[use.url].map(SourceOutcome.init)
        }
        let compiler = Compiler(settings: reading.settings, facts: found.facts)
        let facts = found.facts.values.byName
        do {
            if let wanted = reading.settings.picture {
                let (plan, warnings) = try compiler.picture(draft, wanted, reported: found.diagnostics)
                return PlannedExport(
                    jobs: [PlannedJob(plan, predictedBy: costs, facts: facts)], filmKey: plan.key,
                    frameCount: plan.sheet.frames.count, warnings: warnings,
                    places: SourcePlaces(of: draft, facts: found.facts))
            }
            let compiled = try compiler.compile(draft, reported: found.diagnostics)
            return PlannedExport(
                jobs: compiled.plan.jobs(predictedBy: costs, facts: facts), filmKey: compiled.plan.stitch.key,
                frameCount: compiled.plan.stitch.frameCount, warnings: compiled.warnings,
                places: SourcePlaces(of: draft, facts: found.facts), pictures: compiled.plan.pictures?.pictures)
        } catch let error as DraftError {
            throw ExportFailure(error.diagnostics)
        } catch {
            throw ExportFailure(.crash, message: "the compiler failed: \(error)")
        }
    }
}

extension ExportFailure: Error {
    /// The failure of an export whose draft has errors.
    init(_ diagnostics: [DraftDiagnostic]) {
        self.init(.input, message: DraftError(diagnostics).description, diagnostics: diagnostics)
    }
}

extension SourceOutcome {
    fileprivate init(_ result: ProbeResult) {
        switch result {
        case .facts(let facts): self = .facts(facts)
        case .fault(let failure): self = .failed(message: failure.message)
        }
    }
}
