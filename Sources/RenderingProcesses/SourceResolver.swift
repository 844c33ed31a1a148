import ContentHashing
package import ExportPlan
import FoundationEssentials

/// Finds the files for the locations in a draft and probes each file once, in child processes.
package struct SourceResolver: Sendable {
    /// Why a location cannot be used.
    package enum Fault: Error, Hashable, Sendable {
        /// The location may not be used, whatever lies there, or this version cannot use it. The message is a whole
        /// sentence.
        case forbidden(message: String), unsupported(message: String)
        /// The file is missing or cannot be read. The message is words that follow its name; the name is nil where the
        /// location itself says enough.
        case unreadable(message: String, isMissing: Bool, name: String?)
    }

    private let baseDirectory: String
    private let allowedDirectories: AllowedDirectories?
    private let files: [String: String]
    private let cache: FactsCache
    private let pool: ChildPool
    private let fetch: Fetch

    /// Fetches the source at an address, and returns the path of its file.
    /// - Throws: `JobFailure`, or `CancellationError`.
    package typealias Fetch = @Sendable (_ location: String) async throws -> String

    /// - Parameters:
    ///   - baseDirectory: the directory that relative paths refer to: that of the draft.
    ///   - allowedDirectories: the directories that sources may lie in; nil allows all.
    ///   - files: the paths of files that were found already, by their locations in the draft. They may lie anywhere.
    ///   - fetch: fetches the sources at addresses.
    package init(
        baseDirectory: String, allowedDirectories: AllowedDirectories?, files: [String: String] = [:], cache: FactsCache,
        pool: ChildPool, fetch: @escaping Fetch
    ) {
        self.fetch = fetch
        self.files = files
        self.baseDirectory = baseDirectory
        self.allowedDirectories = allowedDirectories
        self.cache = cache
        self.pool = pool
    }

    /// - Parameters:
    ///   - locations: the locations that the draft names.
    ///   - fonts: the font requests, by location.
    /// - Returns: for every location its source reference, or why it cannot be used.
    /// - Throws: `CancellationError`, or a failure that is not the fault of a source.
    package func resolve(
        _ locations: Set<String>, fonts: [String: FontRequest] = [:]
    ) async throws -> [String: Result<SourceReference, Fault>] {
        var results: [String: Result<SourceReference, Fault>] = [:]
        var unknown: [ProbeRequest] = []
        let ofFonts = fonts.values.flatMap(\.fileLocations)
        let fetched = try await fetch(locations.union(ofFonts).filter { RemoteLocation.matches($0) && files[$0] == nil })
        func path(of location: String) -> Result<String, Fault> { fetched[location] ?? self.path(of: location) }
        for location in locations.sorted() {
            if let request = fonts[location] {
                // A forbidden file is reported under its own location, so the request is left out here.
                if let allowed = try? request.resolvingPaths({ try path(of: $0).get() }) {
                    unknown.append(ProbeRequest(location: location, path: location, fonts: allowed))
                }
                continue
            }
            switch path(of: location) {
            case .failure(let fault): results[location] = .failure(fault)
            case .success(let path):
                // A plug-in's location is not a file whose identity could be compared, so it is probed every time.
                if PluginLocation.name(of: path) == nil, let facts = cache.facts(ofFile: path) {
                    results[location] = .success(SourceReference(facts: facts, path: path))
                } else {
                    unknown.append(ProbeRequest(location: location, path: path))
                }
            }
        }
        for (request, outcome) in zip(unknown, try await probe(unknown)) {
            let (location, path) = (request.location, request.path)
            switch outcome {
            case .success(let facts):
                if facts.plugin == nil, request.fonts == nil { cache.remember(facts, ofFile: path) }
                results[location] = .success(SourceReference(facts: facts, path: path))
            case .failure(let failure):
                // A failed font request names the file that cannot be read.
                let isThere = request.fonts != nil || FileManager.default.fileExists(atPath: path)
                // Names of other files are told only to who may use any file.
                let isOpen = allowedDirectories == nil && PluginLocation.name(of: path) == nil
                let hint = isThere || !isOpen ? "" : NearestFile.suggestion(for: location, at: path)
                results[location] = .failure(
                    .unreadable(
                        message: failure.message + hint, isMissing: !isThere, name: request.fonts.map { _ in failure.subject }))
            }
        }
        return results
    }

    /// Fetches the sources at addresses, several at a time.
    private func fetch(_ locations: Set<String>) async throws -> [String: Result<String, Fault>] {
        var results: [String: Result<String, Fault>] = [:]
        try await withThrowingTaskGroup(of: (String, Result<String, Fault>).self) { group in
            var rest = locations.sorted()[...]
            func addNext() {
                guard let location = rest.popFirst() else { return }
                group.addTask { [fetch] in
                    do {
                        return (location, .success(try await fetch(location)))
                    } catch let failure as JobFailure where failure.failureClass == .input {
                        return (location, .failure(.forbidden(message: failure.description)))
                    }
                }
            }
            for _ in 0..<4 { addNext() }
            while let (location, result) = try await group.next() {
                results[location] = result
                addNext()
            }
        }
        return results
    }

    /// A probe request.
    private struct ProbeRequest {
        var location: String
        var path: String
        var fonts: FontRequest?
    }

    /// Each file is probed independently, so that a bad file does not hide the results of others.
    private func probe(_ requests: [ProbeRequest]) async throws -> [Result<SourceFacts, JobFailure>] {
        let nodes = requests.map { JobGraph.Node(.probe(path: $0.path, fonts: $0.fonts)) }
        return try await pool.runEach(nodes).map { outcome in
            switch outcome {
            case .success(let result):
                guard let facts = result.facts else { preconditionFailure("a probe that finished has facts") }
                return .success(facts)
            case .failure(let failure) where [.input, .crash].contains(failure.failureClass):
                return .failure(failure)
            case .failure(let failure):
                throw failure
            }
        }
    }

    /// The path of the file at a location.
    private func path(of location: String) -> Result<String, Fault> {
        if let file = files[location] { return .success(AllowedDirectories.resolved(file)) }
        if PluginLocation.name(of: location) != nil { return .success(location) }
        if AssetLocation.matches(location) {
            return .failure(
                .unsupported(message: "'\(location)' is an uploaded asset, which only a farm has; give a path"))
        }
        if location.contains("://") || location.isEmpty {
            return .failure(
                .forbidden(message: "'\(location)' is not a path, an https:// address or an asset:<sha256>"))
        }
        let joined = location.hasPrefix("/") ? location : baseDirectory + "/" + location
        var path = AllowedDirectories.resolved(joined)
        if let allowedDirectories {
            guard let found = allowedDirectories.file(at: joined) else {
                return .failure(.forbidden(message: "'\(location)' lies outside the allowed directories"))
            }
            path = found.path
        }
        if let complaint = FileKind.complaint(about: path) {
            return .failure(.unreadable(message: complaint, isMissing: false, name: nil))
        }
        return .success(path)
    }
}
