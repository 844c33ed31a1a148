import DraftCompiler
public import DraftModel
import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which locations of sources a farm takes: uploaded assets, fonts and plug-ins by their names, and files in the directories
/// that its operator allows. The API refuses all others when a draft is handed in, and the planner once more.
public struct SourceRule: Hashable, Sendable {
    /// Where sources named by path may lie, on the workers; none by default.
    public var allowedDirectories: [String]

    public init(allowedDirectories: [String] = []) {
        self.allowedDirectories = allowedDirectories
    }

    /// Every use of a location that cannot work, whatever lies there, as a fault of the draft at its place.
    public func faults(of draft: Draft) -> [DraftDiagnostic] {
        var known: [String: (code: DraftDiagnostic.Code, message: String)?] = [:]
        return SourceUse.all(in: draft).compactMap { use in
            guard !use.url.isEmpty else { return nil }
            let refused = known[use.url] ?? refusal(use.url)
            known[use.url] = .some(refused)
            return refused.map { DraftDiagnostic(path: use.path, code: $0.code, message: $0.message) }
        }
    }

    /// Why a location cannot be used, whatever lies there.
    /// - Returns: nil for one that may be used.
    public func refusal(_ location: String) -> (code: DraftDiagnostic.Code, message: String)? {
        if AssetLocation.isOne(location) || FontLocation.isOne(location) || PluginLocation.name(of: location) != nil {
            return nil
        }
        if location.hasPrefix("https://") {
            return (.unsupported, "'\(location)' cannot be fetched by this version; upload it and name it asset:<sha256>")
        }
        if location.hasPrefix("/"), isAllowed(location) { return nil }
        return (
            .forbiddenSource,
            location.hasPrefix("/")
                ? "'\(location)' lies outside the directories that the farm's operator allows"
                : "'\(location)' is no path that workers can know; upload it and name it asset:<sha256>"
        )
    }

    private func isAllowed(_ path: String) -> Bool {
        let plain = URL(fileURLWithPath: path).standardizedFileURL.path
        return allowedDirectories.contains { plain.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
}
