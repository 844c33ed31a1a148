package import DraftCompiler
package import DraftModel
package import ExportPlan

/// Which source locations a farm accepts: uploaded assets, fonts and plug-ins by their names, addresses, and files in the
/// directories that its operator allows. The API refuses all others when a draft is submitted, and the planner checks
/// again.
package struct SourceRule: Hashable, Sendable {
    /// Directories on the workers in which sources named by path may lie; none by default.
    package var allowedDirectories: AllowedDirectories
    /// The addresses that sources may be fetched from.
    package var addresses: AddressList

    package init(allowedDirectories: [String] = [], addresses: AddressList = .secure) {
        self.allowedDirectories = AllowedDirectories(allowedDirectories)
        self.addresses = addresses
    }

    /// A diagnostic for every use of a location that cannot work, whatever file lies there.
    package func faults(of draft: Draft) -> [DraftDiagnostic] {
        var known: [String: SourceRefusal?] = [:]
        return SourceUse.all(in: draft).compactMap { use in
            guard !use.url.isEmpty else { return nil }
            let refused = known[use.url] ?? refusal(use.url)
            known[use.url] = .some(refused)
            return refused?.diagnostic(at: use.path)
        }
    }

    /// Why a location cannot be used, whatever file lies there.
    /// - Returns: nil for a location that may be used.
    package func refusal(_ location: String) -> SourceRefusal? {
        if AssetLocation.matches(location) || FontLocation.matches(location) || PluginLocation.name(of: location) != nil {
            return nil
        }
        if RemoteLocation.matches(location) {
            let name = RemoteLocation.name(of: location)
            do {
                let complaint = addresses.complaint(about: try RemoteLocation(location))
                return complaint.map { SourceRefusal(.forbiddenSource, "'\(name)' \($0)") }
            } catch {
                return SourceRefusal(.forbiddenSource, "'\(name)' \(error.message)")
            }
        }
        if allowedDirectories.contain(name: location) { return nil }
        return SourceRefusal(
            .forbiddenSource,
            location.hasPrefix("/")
                ? "'\(location)' lies outside the directories that the farm's operator allows"
                : "'\(location)' is a relative path, which workers cannot find; upload the file and name it asset:<sha256>"
        )
    }
}
