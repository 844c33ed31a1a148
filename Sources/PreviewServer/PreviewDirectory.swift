import FoundationEssentials
import Glibc

/// The directory that the engine writes into. Each file appears there by a rename, so it is whole.
struct PreviewDirectory: Sendable {
    let path: String

    /// The path of a media file, whether it is there or not.
    func media(_ name: PreviewFileName) -> String { "\(path)/media/\(name.text)" }

    /// Whether there is a file at a path.
    func hasFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// All bytes of a file that the engine replaces now and then, such as `state.json`. They are read at once, because a
    /// file that is read in parts may be another one in the middle.
    /// - Parameter name: the name below the directory.
    /// - Returns: nil where there is no such file.
    func bytes(of name: String) -> Data? { FileManager.default.contents(atPath: "\(path)/\(name)") }

    /// The names of all media files that are there.
    var mediaNames: [PreviewFileName] {
        // The engine makes the folder with the first file.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/media")) ?? []
        return names.sorted().compactMap(PreviewFileName.init)
    }
}
