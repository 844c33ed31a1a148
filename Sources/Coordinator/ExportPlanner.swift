import ContentHashing
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import JobQueue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Turns an accepted export into jobs: first those that look at its sources, then, with what they found, those of its plan.
/// Pure; the leader stores what comes out.
public struct ExportPlanner: Sendable {
    /// Which sources the farm takes.
    public var sources: SourceRule

    public init(sources: SourceRule = SourceRule()) {
        self.sources = sources
    }

    /// - Parameter allowedDirectories: where sources named by path may lie, on the workers.
    public init(allowedDirectories: [String]) {
        sources = SourceRule(allowedDirectories: allowedDirectories)
    }

    /// A probe for each source that may be used.
    /// - Throws: `ExportFailure` when the document cannot be read at all.
    public func probes(of source: ExportSource) throws(ExportFailure) -> [(location: String, job: NewJob)] {
        let (draft, faults) = Draft.read(Data(source.document.utf8), parameters: source.parameters)
        guard let draft else { throw ExportFailure(faults) }
        let uses = Dictionary(SourceUse.all(in: draft).map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
        let usable = uses.filter { location, use in
            // A request for fonts reads files that are sources themselves.
            let files = use.fonts.map { [$0.captions].compactMap { $0 } + $0.files } ?? []
            return !location.isEmpty && ([location] + files).allSatisfy { sources.refusal($0) == nil }
        }
        return usable.sorted { $0.key < $1.key }.enumerated().map { ordinal, found in
            let (location, use) = found
            // An uploaded asset never changes; what lies under a path may, so it is looked at for each export.
            let identity = AssetLocation.isOne(location) ? location : "\(source.id) \(location)"
            let key = ArtifactKey(ContentHash.of("probe \(rendererVersion) \(identity)".utf8))
            let job = RenderJob.probe(path: location, fonts: use.fonts)
            return (location, NewJob(kind: .probe, ordinal: ordinal, key: key, work: job, weight: 0.2))
        }
    }

    /// The jobs of the export's plan.
    /// - Throws: `ExportFailure` with every fault of draft, settings and sources.
    public func plan(_ source: ExportSource, findings: [String: SourceFinding]) throws(ExportFailure) -> PlannedExport {
        let (draft, draftFaults) = Draft.read(Data(source.document.utf8), parameters: source.parameters)
        let (settings, settingFaults) = ExportSettings.read(source.settings)
        var faults = draftFaults
        faults += settingFaults.map { $0.under("settings") }
        guard let draft else { throw ExportFailure(faults) }
        var facts: [String: SourceFacts] = [:]
        for use in SourceUse.all(in: draft) where !use.url.isEmpty {
            switch (sources.refusal(use.url), findings[use.url]) {
            case (let refusal?, _):
                faults.append(DraftDiagnostic(path: use.path, code: refusal.code, message: refusal.message))
            case (nil, .facts(let known)):
                facts[use.url] = known
            // What is wrong with a file is wrong with what it has to say of fonts, too.
            case _ where use.fonts != nil && faults.contains { $0.path == use.path }: break
            case (nil, .fault(let fault)):
                faults.append(
                    DraftDiagnostic(
                        path: use.path, code: use.need == .plugin ? .missingSource : .unreadableSource,
                        message: "'\(use.name)' \(fault.message)"))
            case (nil, nil):
                faults.append(DraftDiagnostic(path: use.path, code: .missingSource, message: "'\(use.name)' was never looked at"))
            }
        }
        do {
            let compiled = try Compiler(settings: settings, facts: facts).compile(draft, reported: faults)
            var planned = planned(compiled.plan)
            planned.warnings = compiled.warnings
            planned.places = SourcePlaces(of: draft, facts: facts)
            return planned
        } catch let error as DraftError {
            throw ExportFailure(error.diagnostics)
        } catch {
            throw ExportFailure(.crash, message: "the compiler failed: \(error)")
        }
    }

    private func planned(_ plan: RenderPlan) -> PlannedExport {
        var jobs: [NewJob] = []
        var seen: Set<ArtifactKey> = []
        for segment in plan.bitrate?.measures ?? [] where seen.insert(segment.key).inserted {
            let slice = segment.slice
            jobs.append(
                NewJob(
                    kind: .measure, ordinal: jobs.count, key: segment.key, work: .measure(segment: segment),
                    frameCount: slice.frameCount, weight: JobWeight.video(slice)))
        }
        if let allocation = plan.bitrate?.allocation {
            let weight = JobWeight.allocation(allocation)
            jobs.append(
                NewJob(kind: .allocation, ordinal: 0, key: allocation.key, work: .allocation(plan: allocation), weight: weight))
        }
        for segment in plan.videoSegments where seen.insert(segment.key).inserted {
            let slice = segment.slice
            jobs.append(
                NewJob(
                    kind: .video, ordinal: jobs.count, key: segment.key, work: .video(segment: segment),
                    frameCount: slice.frameCount, weight: JobWeight.video(slice)))
        }
        for segment in plan.audioSegments where seen.insert(segment.key).inserted {
            jobs.append(
                NewJob(
                    kind: .audio, ordinal: jobs.count, key: segment.key, work: .audio(segment: segment),
                    weight: JobWeight.audio(segment.slice)))
        }
        if let soundtrack = plan.soundtrack {
            jobs.append(
                NewJob(
                    kind: .soundtrack, ordinal: 0, key: soundtrack.key,
                    work: .soundtrack(plan: soundtrack, segments: plan.audioSegments.map(\.key)),
                    weight: JobWeight.soundtrack(soundtrack)))
        }
        let segments = plan.videoSegments.map { StitchSegment(key: $0.key, frameCount: $0.slice.frameCount) }
        jobs.append(
            NewJob(
                kind: .stitch, ordinal: 0, key: plan.stitch.key,
                work: .stitch(plan: plan.stitch, segments: segments, soundtrack: plan.soundtrack?.key, output: nil),
                frameCount: plan.stitch.frameCount, weight: JobWeight.stitch(plan.stitch)))
        return PlannedExport(jobs: jobs, filmKey: plan.stitch.key, frameCount: plan.stitch.frameCount)
    }
}

extension ExportFailure: Error {
    /// A faulty draft.
    init(_ diagnostics: [DraftDiagnostic]) {
        self.init(.input, message: DraftError(diagnostics).description, diagnostics: diagnostics)
    }
}
