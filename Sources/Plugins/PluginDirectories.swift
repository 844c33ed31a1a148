import ContentHashing
import FoundationEssentials

/// The directories of plug-ins and the files in them. If two files have the same name, the first one is used.
/// Directories in `SPOOL_PLUGIN_PATH` come first, then the directories that the frei0r specification lists, in its
/// order. LADSPA libraries have directories of their own.
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
    /// The directories of LADSPA libraries, in the order in which they are searched.
    package let ladspaPaths: [String]
    /// The directories in which lilv looks for LV2 plug-ins, for messages.
    package let lv2Paths: [String]

    /// - Parameter environment: `SPOOL_PLUGIN_PATH`, `FREI0R_PATH`, `LADSPA_PATH` and `LV2_PATH` are directories separated by
    ///   colons. The last three replace the usual directories of frei0r, LADSPA and LV2.
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
        let ladspa = environment["HOME"].map { ["\($0)/.ladspa", "\($0)/.ladspa/lib"] } ?? []
        lv2Paths =
            list("LV2_PATH") ?? (environment["HOME"].map { ["\($0)/.lv2"] } ?? []) + ["/usr/local/lib/lv2", "/usr/lib/lv2"]
        ladspaPaths = list("LADSPA_PATH") ?? ladspa + ["/usr/local/lib/ladspa", "/usr/lib/ladspa", "/usr/lib/\(machine)/ladspa"]
    }

    /// The directories for this process's environment.
    package static var current: PluginDirectories { PluginDirectories(environment: ProcessInfo.processInfo.environment) }

    /// Every library, including those that an earlier one of the same name hides. A directory's own files come before
    /// those in its subdirectories, which frei0r calls vendor directories.
    package var allFiles: [File] {
        paths.flatMap { path in libraries(in: path) + names(in: path).flatMap { libraries(in: "\(path)/\($0)") } }
    }

    /// Every plug-in that a draft can call, sorted by name.
    package var files: [File] { PluginDirectories.first(ofEachNameIn: allFiles) }

    /// Every LADSPA library, including those that an earlier one of the same name hides.
    package var allLadspaLibraries: [File] { ladspaPaths.flatMap(libraries) }

    /// Every LADSPA library that a draft can name, sorted by name.
    package var ladspaLibraries: [File] { PluginDirectories.first(ofEachNameIn: allLadspaLibraries) }

    private static func first(ofEachNameIn files: [File]) -> [File] {
        var first: [String: File] = [:]
        for file in files where first[file.name] == nil { first[file.name] = file }
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
