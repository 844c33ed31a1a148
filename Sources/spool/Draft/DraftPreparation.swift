import ArtifactStore
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExportPlan
import RemoteSources
import RenderingProcesses
import Synchronization
import FoundationEssentials

/// A draft that has been read, whose sources have been probed, and that has been checked and composed. Every command that
/// takes a draft starts with it.
struct DraftPreparation {
    let draft: Draft
    let compiler: Compiler
    let composition: Composition
    private let latePlan: LatePlan
    /// Warnings for the draft's author.
    let warnings: [DraftDiagnostic]
    /// The sources by content hash.
    let sources: [String: SourceReference]
    /// Places in the draft, by the path of the file that they use.
    let places: [String: [String]]
    /// The content hashes of the sources, by their locations in the draft.
    let locations: [String: String]
    /// The document that the draft was read from, and all that was given with it.
    let input: Input
    /// The cache, whose artifacts stay for as long as this value exists.
    let cache: LocalCache
    let pool: ChildPool

    var store: DirectoryArtifactStore { cache.store }
    /// The plan of an export. Commands that make no film do not ask for it.
    var plan: RenderPlan { latePlan.plan }

    /// A draft document with everything that the composition follows from, beside the files that it names.
    struct Input {
        var document: Data
        /// The directory that its relative paths start from.
        var baseDirectory: String
        var parameters: [String: String]
        var settings: [String: String]
        var selection: DraftSelection
    }

    /// - Parameters:
    ///   - wrapsMedia: what the command makes of media; the named file may then be media instead of a draft, and stands for
    ///     a draft with that clip alone. Nil for a command that takes drafts only.
    ///   - isWhole: whether the draft's `timeRange` is ignored.
    ///   - selection: the part of the draft that is taken.
    ///   - cacheLimit: the bytes that artifacts may have in the cache after `limitCache`; nil for no limit.
    ///   - pool: the rendering processes; nil for some that start when they are needed.
    /// - Throws: `CommandFailure` with every error of the draft, the settings and the sources.
    init(
        _ options: DraftOptions, _ work: WorkOptions, wrapsMedia: MediaUse? = nil, isWhole: Bool = false,
        selection: DraftSelection = DraftSelection(), cacheLimit: Int64? = nil, pool: ChildPool? = nil
    ) async throws {
        let (data, baseDirectory): (Data, String)
        if let wrapsMedia, !InputFile.mayBeDraft(options.draft) {
            (data, baseDirectory) = try DraftPreparation.draft(ofClip: options.draft, for: wrapsMedia)
        } else {
            (data, baseDirectory) = try DraftPreparation.readDraft(options.draft)
        }
        try await self.init(
            data, in: baseDirectory, options, work, isWhole: isWhole, selection: selection, cacheLimit: cacheLimit, pool: pool)
    }

    /// What a command makes of a file that is media instead of a draft.
    enum MediaUse {
        case pictures, sound
    }

    /// Prepares a draft, or media, of which files are made.
    /// - Parameters:
    ///   - outputs: the files, which are checked before and after; `-` is standard output.
    ///   - writing: what happens to existing files.
    /// - Throws: the same errors as the other initializers, and those of checking the outputs.
    init(
        _ options: DraftOptions, _ work: WorkOptions, wrapsMedia: MediaUse, outputs: [String], _ writing: OutputOptions,
        selection: DraftSelection, cacheLimit: Int64?, pool: ChildPool? = nil
    ) async throws {
        let files = outputs.filter { $0 != "-" }
        if files.count < outputs.count { try OutputOptions.checkStandardOutput() }
        for file in files { try writing.checkPlace(file) }
        try await self.init(
            options, work, wrapsMedia: wrapsMedia, selection: selection, cacheLimit: cacheLimit, pool: pool)
        try await check(outputs: files, document: options.draft)
    }

    /// - Parameters:
    ///   - data: the draft document.
    ///   - baseDirectory: the directory that its relative paths start from.
    /// - Throws: `CommandFailure` with every error of the draft, the settings and the sources.
    init(
        _ data: Data, in baseDirectory: String, _ options: DraftOptions, _ work: WorkOptions, isWhole: Bool = false,
        selection: DraftSelection = DraftSelection(), cacheLimit: Int64? = nil, pool: ChildPool? = nil
    ) async throws {
        try await self.init(
            data, in: baseDirectory, parameters: try options.export.parameterValues(),
            settings: try options.export.settingValues(),
            allowedDirectories: options.allowedDirectories, remotes: try options.remote.policy(), work, isWhole: isWhole,
            selection: selection, cacheLimit: cacheLimit, pool: pool)
        try Warnings(isStrict: options.strict).tell(warnings)
    }

    /// - Parameters:
    ///   - data: the draft document.
    ///   - baseDirectory: the directory that its relative paths start from.
    ///   - settings: the settings of the export.
    ///   - allowedDirectories: the directories that may contain its sources; empty allows every directory.
    ///   - remotes: the addresses that its sources may be fetched from.
    ///   - files: the paths of sources that were found already, by their locations in the draft.
    ///   - pool: the rendering processes; nil for some that start when they are needed.
    /// - Throws: `CommandFailure` with every error of the draft, the settings and the sources.
    init(
        _ data: Data, in baseDirectory: String, parameters: [String: String] = [:], settings: [String: String] = [:],
        allowedDirectories: [String] = [], remotes: RemotePolicy = RemotePolicy(), files: [String: String] = [:],
        _ work: WorkOptions, isWhole: Bool = false, selection: DraftSelection = DraftSelection(), cacheLimit: Int64? = nil,
        pool: ChildPool? = nil
    ) async throws {
        let reading = DraftReading(data, parameters: parameters, settings: settings)
        guard var draft = reading.draft else { throw CommandFailure(DraftError(reading.diagnostics)) }
        guard reading.settings.picture == nil else {
            throw CommandFailure(
                "frameTime and sheetCount are for exports on a farm; here `spool frame` and `spool thumbnails` make pictures",
                status: ExitStatus.usage)
        }
        if isWhole { draft.timeRange = nil }
        draft = try selection.apply(to: draft)
        FontFolder.complete(&draft, in: baseDirectory)
        cache = try await work.openCache(limit: cacheLimit)
        self.pool = try pool ?? work.pool()
        let resolver = SourceResolver(
            baseDirectory: baseDirectory,
            allowedDirectories: allowedDirectories.isEmpty ? nil : AllowedDirectories(allowedDirectories), files: files,
            cache: FactsCache(directory: cache.store.directory + "/facts"), pool: self.pool,
            fetch: try DraftPreparation.fetch(in: cache.store.directory + "/sources", remotes))
        let uses = SourceUse.all(in: draft).filter { !$0.url.isEmpty }
        do {
            let requests = uses.compactMap { use in use.fonts.map { (use.url, $0) } }
            let resolved = try await resolver.resolve(
                Set(uses.map(\.url)), fonts: Dictionary(requests, uniquingKeysWith: { first, _ in first }))
            let found = SourceOutcomes(uses, reported: reading.diagnostics) { use in
                resolved[use.url].map(SourceOutcome.init)
            }
            var sources: [String: SourceReference] = [:]
            var places: [String: [String]] = [:]
            var locations: [String: String] = [:]
            for use in uses {
                guard case .success(let reference)? = resolved[use.url] else { continue }
                locations[use.url] = reference.facts.contentHash
                sources[reference.facts.contentHash] = reference
                places[reference.path, default: []].append(use.path)
            }
            compiler = Compiler(settings: reading.settings, facts: found.facts)
            (composition, warnings) = try compiler.check(draft, reported: found.diagnostics)
            latePlan = LatePlan(compiler, composition, draft)
            self.draft = draft
            self.sources = sources
            self.places = places
            self.locations = locations
            input = Input(
                document: data, baseDirectory: baseDirectory, parameters: parameters, settings: settings, selection: selection)
        } catch let error as DraftError {
            throw CommandFailure(error)
        } catch let failure as JobFailure {
            let places = uses.filter { $0.fonts?.names(family: failure.subject) == true && !failure.subject.isEmpty }.map(\.path)
            throw CommandFailure(failure, places: Array(places.prefix(3)))
        }
    }

    /// Fetches sources into the cache. Its directory is made with the first one.
    private static func fetch(in directory: String, _ policy: RemotePolicy) throws -> SourceResolver.Fetch {
        let opened = Mutex<LocalSources?>(nil)
        return { location in
            let sources = try opened.withLock { sources in
                let found = try sources ?? LocalSources(directory, policy)
                sources = found
                return found
            }
            return try await sources.file(of: location)
        }
    }

    private static func draft(ofClip path: String, for use: MediaUse) throws -> (Data, baseDirectory: String) {
        struct Clip: Encodable {
            var type = "av"
            var url: String
        }
        struct Wrapper: Encodable {
            var version = 1
            /// A sound has no pictures whose size could be taken.
            var videoSize: [String: Int]?
            var mainTrackClips: [Clip]
        }
        let here = FileManager.default.currentDirectoryPath
        let size = use == .sound ? ["width": 16, "height": 16] : nil
        return (try JSONEncoder().encode(Wrapper(videoSize: size, mainTrackClips: [Clip(url: path)])), here)
    }

    /// A draft document, and the directory that its relative paths start from.
    static func readDraft(_ path: String) throws -> (Data, baseDirectory: String) {
        let data = try InputFile.read(path, isDraft: true)
        guard path != "-" else { return (data, FileManager.default.currentDirectoryPath) }
        return (data, URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
}

extension SourceOutcome {
    fileprivate init(_ result: Result<SourceReference, SourceResolver.Fault>) {
        switch result {
        case .success(let reference): self = .facts(reference.facts)
        case .failure(.forbidden(let message)): self = .refused(SourceRefusal(.forbiddenSource, message))
        case .failure(.unsupported(let message)): self = .refused(SourceRefusal(.unsupported, message))
        case .failure(.unreadable(let message, let isMissing, let name)):
            self = .failed(message: message, isMissing: isMissing, name: name)
        }
    }
}
