import ArtifactStore
import DraftCompiler
import DraftModel
import ExportPlan
import FarmClient
import RenderingProcesses

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A draft on its way to a plan: read, sources resolved, compiled. What every command that takes a draft starts with.
struct DraftPreparation {
    let draft: Draft
    let compiler: Compiler
    let composition: Composition
    let plan: RenderPlan
    /// What the draft's author should know.
    let warnings: [DraftDiagnostic]
    /// By content hash.
    let sources: [String: SourceReference]
    /// Places in the draft, by the path of the file they use.
    let places: [String: [String]]
    let store: DirectoryArtifactStore
    let pool: ChildPool

    /// - Parameters:
    ///   - wrapsMedia: whether what is named may be a file of media, which stands for a draft of that clip alone.
    ///   - isWhole: leaves out the draft's `timeRange`.
    /// - Throws: `CommandFailure` with every fault of draft, settings and sources.
    init(_ options: DraftOptions, _ work: WorkOptions, wrapsMedia: Bool = false, isWhole: Bool = false) async throws {
        let isDraft = !wrapsMedia || options.draft == "-" || options.draft.lowercased().hasSuffix(".json")
        let (data, baseDirectory) =
            isDraft ? try DraftPreparation.readDraft(options.draft) : try DraftPreparation.draft(ofClip: options.draft)
        try await self.init(data, in: baseDirectory, options, work, isWhole: isWhole)
    }

    /// - Parameters:
    ///   - data: the draft's document.
    ///   - baseDirectory: what its paths are relative to.
    /// - Throws: `CommandFailure` with every fault of draft, settings and sources.
    init(
        _ data: Data, in baseDirectory: String, _ options: DraftOptions, _ work: WorkOptions, isWhole: Bool = false
    ) async throws {
        try await self.init(
            data, in: baseDirectory, parameters: try options.parameterValues(), settings: try options.settingValues(),
            allowedDirectories: options.allowedDirectories, work, isWhole: isWhole)
        try Warnings(isStrict: options.strict).tell(warnings)
    }

    /// - Parameters:
    ///   - data: the draft's document.
    ///   - baseDirectory: what its paths are relative to.
    ///   - settings: of the export.
    ///   - allowedDirectories: where its sources may lie; empty allows every directory.
    /// - Throws: `CommandFailure` with every fault of draft, settings and sources.
    init(
        _ data: Data, in baseDirectory: String, parameters: [String: String] = [:], settings: [String: String] = [:],
        allowedDirectories: [String] = [], _ work: WorkOptions, isWhole: Bool = false
    ) async throws {
        let (read, draftFaults) = Draft.read(data, parameters: parameters)
        let (settings, settingFaults) = ExportSettings.read(settings)
        var faults = draftFaults
        faults += settingFaults.map { $0.under("settings") }
        guard var draft = read else { throw CommandFailure(DraftError(faults)) }
        if isWhole { draft.timeRange = nil }
        FontFolder.complete(&draft, in: baseDirectory)
        do {
            store = try DirectoryArtifactStore(directory: work.cacheDirectory)
        } catch let error as ArtifactError {
            throw CommandFailure(error)
        }
        pool = try work.pool()
        let resolver = SourceResolver(
            baseDirectory: baseDirectory, allowedDirectories: allowedDirectories,
            cache: FactsCache(directory: store.directory + "/facts"), pool: pool)
        let uses = SourceUse.all(in: draft).filter { !$0.url.isEmpty }
        do {
            let requests = uses.compactMap { use in use.fonts.map { (use.url, $0) } }
            let resolved = try await resolver.resolve(
                Set(uses.map(\.url)), fonts: Dictionary(requests, uniquingKeysWith: { first, _ in first }))
            var facts: [String: SourceFacts] = [:]
            var sources: [String: SourceReference] = [:]
            var places: [String: [String]] = [:]
            for use in uses {
                switch resolved[use.url] {
                case .success(let reference):
                    facts[use.url] = reference.facts
                    sources[reference.facts.contentHash] = reference
                    places[reference.path, default: []].append(use.path)
                // What is wrong with a file is wrong with what it has to say of fonts, too.
                case .failure where use.fonts != nil && faults.contains(where: { $0.path == use.path }): break
                case .failure(let fault): faults.append(DraftDiagnostic(fault, at: use.path))
                case nil: break
                }
            }
            compiler = Compiler(settings: settings, facts: facts)
            let compiled = try compiler.compile(draft, reported: faults)
            (composition, plan, warnings) = (compiled.composition, compiled.plan, compiled.warnings)
            self.draft = draft
            self.sources = sources
            self.places = places
        } catch let error as DraftError {
            throw CommandFailure(error)
        } catch let failure as JobFailure {
            throw CommandFailure(failure)
        }
    }

    private static func draft(ofClip path: String) throws -> (Data, baseDirectory: String) {
        struct Clip: Encodable {
            var type = "av"
            var url: String
        }
        struct Wrapper: Encodable {
            var version = 1
            var videoSize = ["width": 16, "height": 16]
            var mainTrackClips: [Clip]
        }
        let here = FileManager.default.currentDirectoryPath
        return (try JSONEncoder().encode(Wrapper(mainTrackClips: [Clip(url: path)])), here)
    }

    /// A draft's document, and what its paths are relative to.
    static func readDraft(_ path: String) throws -> (Data, baseDirectory: String) {
        let here = FileManager.default.currentDirectoryPath
        if path == "-" {
            var text = ""
            while let line = readLine(strippingNewline: false) { text += line }
            return (Data(text.utf8), here)
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return (data, URL(fileURLWithPath: path).deletingLastPathComponent().path)
        } catch {
            let exists = FileManager.default.fileExists(atPath: path)
            throw CommandFailure("'\(path)' \(exists ? "cannot be read" : "does not exist")", status: ExitStatus.badInput)
        }
    }
}

extension DraftDiagnostic {
    fileprivate init(_ fault: SourceResolver.Fault, at path: String) {
        let code: Code =
            switch fault.kind {
            case .forbidden: .forbiddenSource
            case .unsupported: .unsupported
            case .missing: .missingSource
            case .unreadable: .unreadableSource
            }
        self.init(path: path, code: code, message: fault.message)
    }
}
