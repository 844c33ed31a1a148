import ArtifactStore
import CommandLineInterface
import FoundationEssentials
import Glibc

/// A film that goes to standard output, or whose pictures become files: it is made in the cache's temporary folder, because
/// most containers are written in more than one pass, and is used when it is complete. So it has the bytes of the same film
/// in a file.
struct ScratchFilm {
    private let folder: String
    /// The film's file until it is sent.
    let path: String

    /// - Parameter directory: where the film's own folder is made; what ended processes left there is removed.
    /// - Throws: `CommandFailure` where the folder cannot be created.
    init(in directory: String) throws {
        ScratchFile.removeLeftoverFolders(in: directory)
        folder = "\(directory)/.\(ScratchFile.name("film"))"
        path = folder + "/film"
        try OutputOptions.makeDirectory(folder)
    }

    /// Sends the film to standard output. A fault of standard output is told when the program ends.
    /// - Throws: `CommandFailure` where the file cannot be read.
    func send() throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            guard count > 0 else { return }
            StandardOutput.write(Data(chunk[..<count]))
        }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: folder)  // the next such film removes what is left
    }

    private func failure(_ code: Int32) -> CommandFailure {
        CommandFailure("'\(path)' cannot be read: \(String(cString: strerror(code)))", status: ExitStatus.temporaryFailure)
    }
}
