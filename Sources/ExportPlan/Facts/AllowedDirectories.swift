import FoundationEssentials

/// The directories in which sources that are named by path may lie.
///
/// Local exports, the farm's coordinator and its workers decide here whether a path lies inside. A coordinator may not
/// have the files, so it compares names; whoever opens a file compares the paths that symbolic links lead to, and opens
/// that path, so that no link and no `..` leads out.
package struct AllowedDirectories: Hashable, Sendable {
    /// The directories as they were given. None allows no path.
    package var directories: [String]

    package init(_ directories: [String]) {
        self.directories = directories
    }

    /// Whether a path lies inside one of the directories by its name alone. `.` and `..` are resolved, links are not.
    /// A directory that is given by a relative path counts only where files are opened.
    /// - Parameter path: an absolute path; a relative one lies in none of the directories.
    package func contain(name path: String) -> Bool {
        guard path.hasPrefix("/") else { return false }
        let name = Self.standardized(path)
        return directories.contains { $0.hasPrefix("/") && Self.lies(name, in: Self.standardized($0)) }
    }

    /// The file at a path, if it lies inside one of the directories.
    /// - Parameter path: an absolute path. Nothing needs to exist there.
    /// - Returns: the path with links, `.` and `..` resolved, and the directory that it lies in, as it was given; nil
    ///   for a path outside the directories, and for a relative path.
    package func file(at path: String) -> (path: String, directory: String)? {
        guard path.hasPrefix("/") else { return nil }
        let file = Self.resolved(path)
        return directories.first { Self.lies(file, in: Self.resolved($0)) }.map { (file, $0) }
    }

    /// A path with `.` and `..` resolved, and with links resolved if a file exists there.
    package static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    private static func standardized(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    private static func lies(_ file: String, in directory: String) -> Bool {
        file.hasPrefix(directory.hasSuffix("/") ? directory : directory + "/")
    }
}
