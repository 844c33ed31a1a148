import ContentHashing
import FoundationEssentials

/// The directories of plug-ins and the files in them. If two files have the same name, the first one is used.
/// Directories in `SPOOL_PLUGIN_PATH` come first, then the directories that the frei0r specification lists, in its
/// order.
package struct PluginDirectories: Sendable, Equatable {
    /// A shared library in one of the directories.
    package struct File: Sendable, Equatable {
        /// The name by which drafts call it: the file's name without the extension, as FFmpeg and MLT name frei0r's
        /// effects.
        package var name: String
        package var path: String
    }

    /// The directories in the order in which they are searched.
    package let paths: [String]

    /// - Parameter environment: `SPOOL_PLUGIN_PATH` and `FREI0R_PATH` are directories separated by colons.
    ///   `FREI0R_PATH` replaces frei0r's usual directories.
    package init(environment: [String: String]) {
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

    /// The directories for this process's environment.
    package static var current: PluginDirectories { PluginDirectories(environment: ProcessInfo.processInfo.environment) }

    /// Every library, including those that an earlier one of the same name hides. A directory's own files come before
    /// those in its subdirectories, which frei0r calls vendor directories.
    package var allFiles: [File] {
        paths.flatMap { path in libraries(in: path) + names(in: path).flatMap { libraries(in: "\(path)/\($0)") } }
    }

    /// Every plug-in that a draft can call, sorted by name.
    package var files: [File] {
        var first: [String: File] = [:]
        for file in allFiles where first[file.name] == nil { first[file.name] = file }
        return first.values.sorted { $0.name < $1.name }
    }

    private func libraries(in directory: String) -> [File] {
        names(in: directory).filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") && $0.count > 3 }
            .map { File(name: String($0.dropLast(3)), path: "\(directory)/\($0)") }
            // Opening something that is not a regular file, such as a pipe, may block forever.
            .filter { FileKind.complaint(about: $0.path) == nil }
    }

    private func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).sorted()) ?? []  // may be missing
    }
}
