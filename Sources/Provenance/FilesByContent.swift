import ContentHashing
import FoundationEssentials
import Glibc

/// Finds files in a folder, and in the folders in it, by their content, whatever their names are. `spool reproduce` looks
/// here for the sources of a farm's film, which their draft names by their hashes.
///
/// Only files of the wanted size are read, each of them once.
package struct FilesByContent {
    private let folder: String
    /// The paths of the files by their sizes in bytes; nil before the first search.
    private var sizes: [Int: [String]]?
    /// The hashes of the files that were read, by their paths; nil for a file that cannot be read.
    private var hashes: [String: String?] = [:]

    /// - Parameter folder: where to search. A folder that cannot be read counts as empty.
    package init(in folder: String) {
        self.folder = folder
    }

    /// The path of a file with this content; nil where there is none.
    /// - Parameters:
    ///   - byteCount: the file's size in bytes.
    ///   - name: files of this name are read before others; nil where none is known.
    package mutating func path(sha256: String, byteCount: Int, name: String? = nil) -> String? {
        let sizes = self.sizes ?? FilesByContent.files(in: folder)
        self.sizes = sizes
        let ending = name.map { "/\($0)" }
        let all = sizes[byteCount] ?? []
        let named = all.filter { path in ending.map { path.hasSuffix($0) } ?? false }
        let others = all.filter { !named.contains($0) }
        for path in named + others where hash(of: path) == sha256 { return path }
        return nil
    }

    private mutating func hash(of path: String) -> String? {
        if let known = hashes[path] { return known }
        // A file that cannot be read is none of those that are wanted.
        let hash = try? ContentHash.ofFile(path).hash
        hashes.updateValue(hash, forKey: path)
        return hash
    }

    /// The files below a folder. Links to files count, and links to folders are not followed, because they may lead in a
    /// circle.
    private static func files(in folder: String) -> [Int: [String]] {
        var found: [Int: [String]] = [:]
        var folders = [folder]
        while let next = folders.popLast() {
            // A folder that cannot be read has none of the files.
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: next)) ?? []).sorted() {
                let path = "\(next)/\(name)"
                var own = stat()
                guard lstat(path, &own) == 0 else { continue }
                guard own.st_mode & S_IFMT != S_IFDIR else {
                    folders.append(path)
                    continue
                }
                var status = stat()
                guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                found[Int(status.st_size), default: []].append(path)
            }
        }
        return found
    }
}
