/// The files that the renderer finds in its plug-in directories. What is in them is found out by probing each.
public struct FoundPlugins: Hashable, Sendable, Codable {
    public struct File: Hashable, Sendable, Codable {
        /// By which drafts call it.
        public var name: String
        public var path: String

        public init(name: String, path: String) {
            self.name = name
            self.path = path
        }
    }

    /// In the order in which they are searched, whether they are there or not.
    public var directories: [String]
    /// One for each name, in order of the names.
    public var files: [File]

    public init(directories: [String], files: [File]) {
        self.directories = directories
        self.files = files
    }
}
