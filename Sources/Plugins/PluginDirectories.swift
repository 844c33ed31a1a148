import ContentHashing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where plug-ins lie, and which files there are. Of two files of one name the first one counts: first those in
/// `SPOOL_PLUGIN_PATH`, then those where frei0r says that its effects are, in the order that it says.
public struct PluginDirectories: Sendable, Equatable {
    /// A shared library in one of the directories.
    public struct File: Sendable, Equatable {
        /// By which drafts call it: the file's name without the extension, as FFmpeg and MLT name frei0r's effects.
        public var name: String
        public var path: String
    }

    /// In the order in which they are searched.
    public let paths: [String]

    /// - Parameter environment: `SPOOL_PLUGIN_PATH` and `FREI0R_PATH` are directories separated by colons; the latter replaces
    ///   frei0r's usual places.
    public init(environment: [String: String]) {
        func list(_ name: String) -> [String]? {
            environment[name].map { $0.split(separator: ":").map(String.init) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        #if arch(x86_64)
            let machine = "x86_64-linux-gnu"
        #else
            let machine = "aarch64-linux-gnu"
        #endif
        let home = environment["HOME"].map { ["\($0)/.frei0r-1/lib"] } ?? []
        let usual = home + ["/usr/local/lib/frei0r-1", "/usr/lib/frei0r-1", "/usr/lib/\(machine)/frei0r-1"]
        paths = (list("SPOOL_PLUGIN_PATH") ?? []) + (list("FREI0R_PATH") ?? usual)
    }

    /// Those of this process.
    public static var current: PluginDirectories { PluginDirectories(environment: ProcessInfo.processInfo.environment) }

    /// Every library, also those that an earlier one of the same name hides. A directory's own come before those in the
    /// directories in it, which frei0r calls vendors'.
    public var allFiles: [File] {
        paths.flatMap { path in libraries(in: path) + names(in: path).flatMap { libraries(in: "\(path)/\($0)") } }
    }

    /// Every plug-in that a draft can call, in order of their names.
    public var files: [File] {
        var first: [String: File] = [:]
        for file in allFiles where first[file.name] == nil { first[file.name] = file }
        return first.values.sorted { $0.name < $1.name }
    }

    private func libraries(in directory: String) -> [File] {
        names(in: directory).filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") && $0.count > 3 }
            .map { File(name: String($0.dropLast(3)), path: "\(directory)/\($0)") }
            // Loading what is no file may never come back.
            .filter { FileKind.complaint(about: $0.path) == nil }
    }

    private func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).sorted()) ?? []  // one that is not there has none
    }
}
