package import ExportPlan
package import FoundationEssentials

/// Writes an archive of numbered pictures. The same pictures give the same bytes.
package final class PictureArchiveWriter {
    private let file: OutputFile
    private let suffix: String
    private var count = 0

    /// Opens `path` for writing; the archive is complete only after `finish`.
    /// - Parameter suffix: that of all pictures, without a dot.
    package init(path: String, suffix: String) throws(MediaError) {
        file = try OutputFile(path: path)
        self.suffix = suffix
    }

    /// Adds the next picture's file.
    package func add(_ picture: Data) {
        count += 1
        file.write(PictureArchive.header(PictureArchive.name(count, suffix), byteCount: picture.count))
        file.write(picture)
        file.write(PictureArchive.filling(picture.count))
    }

    /// Completes the file and closes it.
    package func finish() throws(MediaError) {
        file.write(PictureArchive.end)
        try file.finish()
    }
}

/// Reads the pictures of a segment's archive.
package struct PictureArchiveFile {
    private let file: SourceFile
    package let entries: [PictureArchive.Entry]

    /// - Throws: `MediaError` `damaged` for anything but a whole archive of pictures.
    package init(path: String) throws(MediaError) {
        let file = try SourceFile(path: path)
        self.file = file
        do {
            entries = try PictureArchive.entries(byteCount: file.byteCount) { try file.bytes($0) }
        } catch let fault as PictureArchive.Fault {
            throw MediaError(.damaged, subject: path, message: fault.message)
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(.cannotRead, subject: path, message: "cannot be read: \(error)")
        }
    }

    package func picture(_ entry: PictureArchive.Entry) throws(MediaError) -> Data { Data(try file.bytes(entry.range)) }

    /// Whether a file is such an archive and not another kind of segment.
    static func begins(_ head: some Collection<UInt8>) -> Bool {
        head.starts(with: PictureArchive.name(1, "").utf8)
    }
}
