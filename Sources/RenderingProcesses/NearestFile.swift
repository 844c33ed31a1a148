import FoundationEssentials
import Vocabulary

/// Suggests a file for a path at which there is none.
package enum NearestFile {
    /// The end of a message: a file in the same folder that has nearly the same name, and may differ in case only.
    /// - Parameters:
    ///   - written: the path as a person wrote it, whose folder the suggestion keeps.
    ///   - path: the path at which the file was looked for.
    /// - Returns: for example `; did you mean 'clips/beach.mp4'?`; empty if no name is similar.
    package static func suggestion(for written: String, at path: String) -> String {
        let (folder, name) = split(path)
        let files = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
        return nearestName(to: name, among: files ?? []).map { "; did you mean '\(split(written).folder)\($0)'?" } ?? ""
    }

    /// The folder with its last slash, or nothing, and the name in it.
    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }
}
