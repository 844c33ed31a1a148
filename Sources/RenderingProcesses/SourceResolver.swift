import ContentHashing
public import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds the files behind the locations in a draft and probes each once, in child processes.
public struct SourceResolver: Sendable {
    /// Why a location cannot be used.
    public struct Fault: Error, Hashable, Sendable {
        public enum Kind: Sendable { case forbidden, unsupported, missing, unreadable }

        public var kind: Kind
        public var message: String
    }

    private let baseDirectory: String
    private let allowedDirectories: [String]
    private let cache: FactsCache
    private let pool: ChildPool

    /// - Parameters:
    ///   - baseDirectory: what relative paths are relative to: the draft's own directory.
    ///   - allowedDirectories: where sources may lie, after symbolic links; empty allows every directory.
    public init(baseDirectory: String, allowedDirectories: [String], cache: FactsCache, pool: ChildPool) {
        self.baseDirectory = baseDirectory
        self.allowedDirectories = allowedDirectories
        self.cache = cache
        self.pool = pool
    }

    /// - Parameters:
    ///   - locations: what the draft names.
    ///   - fonts: by location, those that are requests for fonts.
    /// - Returns: for every location what it is, or why it cannot be used.
    /// - Throws: `CancellationError`, or a failure that is no fault of a source.
    public func resolve(
        _ locations: Set<String>, fonts: [String: FontRequest] = [:]
    ) async throws -> [String: Result<SourceReference, Fault>] {
        var results: [String: Result<SourceReference, Fault>] = [:]
        var unknown: [Question] = []
        for location in locations.sorted() {
            if let request = fonts[location] {
                // A file that may not be used is a fault of its own, and there is nothing to ask then.
                if let allowed = try? request.resolvingPaths({ try path(of: $0).get() }) {
                    unknown.append(Question(location: location, path: location, fonts: allowed))
                }
                continue
            }
            switch path(of: location) {
            case .failure(let fault): results[location] = .failure(fault)
            case .success(let path):
                // A plug-in's location is no file whose age could be looked at: it is asked every time.
                if PluginLocation.name(of: path) == nil, let facts = cache.facts(ofFile: path) {
                    results[location] = .success(SourceReference(facts: facts, path: path))
                } else {
                    unknown.append(Question(location: location, path: path))
                }
            }
        }
        for (question, outcome) in zip(unknown, try await probe(unknown)) {
            let (location, path) = (question.location, question.path)
            switch outcome {
            case .success(let facts):
                if facts.plugin == nil, question.fonts == nil { cache.remember(facts, ofFile: path) }
                results[location] = .success(SourceReference(facts: facts, path: path))
            case .failure(let failure):
                let isThere = question.fonts != nil || FileManager.default.fileExists(atPath: path)
                let kind: Fault.Kind = isThere ? .unreadable : .missing
                let name = question.fonts.map { _ in failure.subject } ?? PluginLocation.name(of: location) ?? location
                results[location] = .failure(Fault(kind: kind, message: "'\(name)' \(failure.message)"))
            }
        }
        return results
    }

    /// What is to be found out, and where.
    private struct Question {
        var location: String
        var path: String
        var fonts: FontRequest?
    }

    /// One graph a file: a bad file must not hide the others.
    private func probe(_ questions: [Question]) async throws -> [Result<SourceFacts, JobFailure>] {
        let nodes = questions.map { JobGraph.Node(.probe(path: $0.path, fonts: $0.fonts)) }
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

    /// The file that a location means.
    private func path(of location: String) -> Result<String, Fault> {
        if PluginLocation.name(of: location) != nil { return .success(location) }
        if AssetLocation.isOne(location) {
            return .failure(
                Fault(kind: .unsupported, message: "'\(location)' is an uploaded asset, which only a farm has; give a path"))
        }
        if location.hasPrefix("https://") {
            return .failure(
                Fault(
                    kind: .unsupported, message: "'\(location)' cannot be fetched by this version; download it and give its path")
            )
        }
        if location.contains("://") || location.isEmpty {
            return .failure(
                Fault(kind: .forbidden, message: "'\(location)' is not a path, an https:// address or an asset:<sha256>"))
        }
        let joined = location.hasPrefix("/") ? location : baseDirectory + "/" + location
        let path = URL(fileURLWithPath: joined).standardizedFileURL.resolvingSymlinksInPath().path
        let isAllowed =
            allowedDirectories.isEmpty
            || allowedDirectories.contains { directory in
                let allowed = URL(fileURLWithPath: directory).standardizedFileURL.resolvingSymlinksInPath().path
                return path.hasPrefix(allowed.hasSuffix("/") ? allowed : allowed + "/")
            }
        guard isAllowed else {
            return .failure(Fault(kind: .forbidden, message: "'\(location)' lies outside the allowed directories"))
        }
        if let complaint = FileKind.complaint(about: path) {
            return .failure(Fault(kind: .unreadable, message: "'\(location)' \(complaint)"))
        }
        return .success(path)
    }
}
