import ExactTime
public import ExportPlan
public import Operations
import Spelling

/// The plug-ins of this machine: what one declares, for the probe, and one made ready to run, for the compositor.
///
/// Both load it into this process, which is therefore always a rendering process: a plug-in that crashes takes it along, and
/// that job alone fails.
public struct InstalledPlugins: Sendable {
    private let directories: PluginDirectories

    public init(_ directories: PluginDirectories = .current) {
        self.directories = directories
    }

    /// Loads the plug-in that a draft calls, checks that it is steady, and says what it is.
    /// - Throws: `PluginError`; its message says which plug-ins there are when there is none of the name.
    public func facts(ofPlugin name: String) throws(PluginError) -> SourceFacts {
        let files = directories.files
        guard let file = files.first(where: { $0.name == name }) else {
            throw PluginError(.unknownPlugin, subject: name, message: InstalledPlugins.unknown(name, files.map(\.name)))
        }
        let library = try PluginLibrary.load(file)
        let (container, facts) = try InstalledPlugins.declared(library)
        try SteadinessCheck(filter: library.filter, facts: facts).run()
        return SourceFacts(
            contentHash: library.contentHash, byteCount: library.byteCount, container: container, origin: .zero, video: nil,
            audio: nil, plugin: facts)
    }

    /// The plug-in that a plan names, made ready.
    /// - Throws: `PluginError` `missingVersion` when this machine has no file of exactly this content.
    public func filter(_ facts: SourceFacts) throws(PluginError) -> any PluginFilter {
        let name = facts.plugin?.name ?? ""
        let files = directories.allFiles.filter { $0.name == name }
        for file in files where try PluginLibrary.contentHash(of: file) == facts.contentHash {
            let library = try PluginLibrary.load(file)
            // The file may have been replaced in between.
            if library.contentHash == facts.contentHash { return library.filter }
        }
        let here = files.isEmpty ? "there is none here" : "here is another version, \(files.map(\.path).joined(separator: ", "))"
        throw PluginError(
            .missingVersion, subject: name,
            message:
                "is a plug-in with sha256 \(facts.contentHash), but \(here); install the same on all machines, or render anew")
    }

    private static func declared(_ library: PluginLibrary) throws(PluginError) -> (String, PluginFacts) {
        switch library.interface {
        case .frei0r(let filter): ("frei0r", try filter.facts())
        case .own(let filter): ("spool-plugin", filter.facts)
        }
    }

    private static func unknown(_ name: String, _ names: [String]) -> String {
        if names.isEmpty { return "is no plug-in here: there are none; see 'spool doctor' for where they belong" }
        if let nearest = nearestName(to: name, among: names) {
            return "is no plug-in here; did you mean '\(nearest)'? 'spool plugins' lists all \(names.count)"
        }
        return "is no plug-in here; there are \(names.joined(separator: ", "))"
    }
}

extension PluginLibrary {
    fileprivate var filter: any OpenablePlugin {
        switch interface {
        case .frei0r(let filter): filter
        case .own(let filter): filter
        }
    }
}
