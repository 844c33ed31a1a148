import ArtifactStore
import CommandLineInterface
import FoundationEssentials
import Glibc

/// A film that goes to standard output: it is made in the cache's temporary folder, because most containers are written
/// in more than one pass, and is sent when it is complete. So it has the bytes of the same film in a file.
struct StandardOutputFilm {
    private let folder: String
    /// The film's file until it is sent.
    let path: String

    /// - Parameter cache: the directory of the cache.
    /// - Throws: `CommandFailure` where standard output is a terminal, or the folder cannot be created.
    init(in cache: String) throws {
        try OutputOptions.checkStandardOutput()
        ScratchFile.removeLeftoverFolders(in: cache + "/tmp")
        folder = "\(cache)/tmp/.\(ScratchFile.name("film"))"
        path = folder + "/film"
        try OutputOptions.makeDirectory(folder)
    }

    /// Sends the film. A fault of standard output is told when the program ends.
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
