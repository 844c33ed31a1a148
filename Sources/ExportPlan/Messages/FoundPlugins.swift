/// The files in the renderer's plug-in directories. A probe of each file finds out what it contains.
package struct FoundPlugins: Hashable, Sendable, Codable {
    package struct File: Hashable, Sendable, Codable {
        /// The name by which drafts call the plug-in.
        package var name: String
        package var path: String

        package init(name: String, path: String) {
            self.name = name
            self.path = path
        }
    }

    /// The directories in search order, whether they exist or not.
    package var directories: [String]
    /// One file for each name, ordered by name.
    package var files: [File]
    /// The LADSPA libraries, each of which has one or more plug-ins, ordered by name. Their labels are known when they are
    /// loaded.
    package var ladspaLibraries: [File]

    package init(directories: [String], files: [File], ladspaLibraries: [File] = []) {
        self.directories = directories
        self.files = files
        self.ladspaLibraries = ladspaLibraries
    }
}
