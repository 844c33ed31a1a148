package import ExportPlan
package import FoundationEssentials

/// Writes an archive of files. The same files give the same bytes.
package final class FileArchiveWriter {
    private let path: String
    private let file: OutputFile
    private var count = 0

    /// Opens `path` for writing; the archive is complete only after `finish`.
    package init(path: String) throws(MediaError) {
        self.path = path
        file = try OutputFile(path: path)
    }

    /// Adds the file of the next numbered picture.
    /// - Parameter suffix: of its name, without a dot.
    package func add(picture: some Collection<UInt8>, suffix: String) {
        count += 1
        add(FileArchive.name(count, suffix), picture)
    }

    /// Adds a file.
    package func add(_ name: String, _ bytes: some Collection<UInt8>) {
        file.write(FileArchive.header(name, byteCount: bytes.count))
        file.write(bytes)
        file.write(FileArchive.filling(bytes.count))
    }

    /// Adds a file that begins with some bytes and goes on with those of another file.
    /// - Throws: `MediaError` where the other file cannot be read, and `cannotWrite` for a file of 8 GiB and more, which has
    ///   no place in an archive of this format.
    package func add(_ name: String, _ head: [UInt8], followedBy other: SourceFile) throws(MediaError) {
        let byteCount = head.count + other.byteCount
        guard byteCount < FileArchive.largestFile else {
            throw MediaError(
                .cannotWrite, subject: path,
                message: "cannot hold '\(name)' of \(byteCount) bytes; make the film shorter, or its pictures smaller")
        }
        file.write(FileArchive.header(name, byteCount: byteCount))
        file.write(head)
        var place = 0
        while place < other.byteCount {
            let block = try other.bytes(place..<min(place + SourceFile.chunk, other.byteCount))
            file.write(block)
            place += block.count
        }
        file.write(FileArchive.filling(byteCount))
    }

    /// Completes the file and closes it.
    package func finish() throws(MediaError) {
        file.write(FileArchive.end)
        try file.finish()
    }
}

/// Reads the pictures of a segment's archive.
package struct FileArchiveFile {
    private let file: SourceFile
    package let entries: [FileArchive.Entry]

    /// - Throws: `MediaError` `damaged` for anything but a whole archive of pictures.
    package init(path: String) throws(MediaError) {
        let file = try SourceFile(path: path)
        self.file = file
        do {
            entries = try FileArchive.entries(byteCount: file.byteCount) { try file.bytes($0) }
        } catch let fault as FileArchive.Fault {
            throw MediaError(.damaged, subject: path, message: fault.message)
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(.cannotRead, subject: path, message: "cannot be read: \(error)")
        }
    }

    package func picture(_ entry: FileArchive.Entry) throws(MediaError) -> Data { Data(try file.bytes(entry.range)) }

    /// Whether a file is such an archive and not another kind of segment.
    static func begins(_ head: some Collection<UInt8>) -> Bool {
        head.starts(with: FileArchive.name(1, "").utf8)
    }
}
