import ExportPlan
import Glibc

/// Finds out why the index of an MP4 or MOV file (the `moov` atom; ISO/IEC 14496-12, section 8.2.1) could not be read.
/// libavformat also reports "not found" for an index that is cut off or damaged. The demuxer calls it to describe such
/// a file to the user.
enum MovieIndex {
    /// The error for a file in which libavformat found no index.
    static func fault(_ path: String) -> MediaError {
        guard let index = bounds(path) else {
            return damaged(path, "is cut short: its index (the moov atom) is missing, so no frame can be found")
        }
        return cut(path) ?? damaged(path, "is damaged: its index (the moov atom at byte \(index.place)) cannot be read")
    }

    /// The error for a file that ends inside its index; nil for all others. libavformat reads the available part of
    /// such an index, so streams or their properties are missing.
    static func cut(_ path: String) -> MediaError? {
        guard let index = bounds(path), index.end > index.fileEnd else { return nil }
        return damaged(
            path,
            "is cut short: it ends at byte \(index.fileEnd), inside its index (the moov atom, bytes \(index.place) to \(index.end))"
        )
    }

    private static func damaged(_ path: String, _ message: String) -> MediaError {
        MediaError(.damaged, subject: path, message: message + "; copy or export the file again")
    }

    /// - Returns: nil if there is no index, or if the file cannot be read, which has been reported before.
    private static func bounds(_ path: String) -> (place: Int, end: Int, fileEnd: Int)? {
        guard let file = fopen(path, "rbe") else { return nil }
        defer { fclose(file) }
        return place(file).map { ($0, $0 + size(bytes(file, at: $0, count: 16)), length(file)) }
    }

    /// The byte offset of the index. It is found by walking from box to box, or by its name in the first megabyte if a
    /// box is damaged.
    private static func place(_ file: UnsafeMutablePointer<FILE>) -> Int? {
        var place = 0
        let end = length(file)
        while place + 8 <= end {
            let header = bytes(file, at: place, count: 16)
            if name(header) == "moov" { return place }
            let size = size(header)
            guard size >= 8 else { break }
            place += size
        }
        let beginning = bytes(file, at: 0, count: 1 << 20)
        let wanted = Array("moov".utf8)
        guard name(beginning) == "ftyp" else { return nil }
        let found = beginning.indices.dropFirst(4).first { beginning[$0] == wanted[0] && beginning[$0...].starts(with: wanted) }
        return found.map { $0 - 4 }
    }

    private static func length(_ file: UnsafeMutablePointer<FILE>) -> Int {
        fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0
    }

    private static func bytes(_ file: UnsafeMutablePointer<FILE>, at place: Int, count: Int) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        guard fseek(file, place, SEEK_SET) == 0 else { return [] }
        let read = fread(&buffer, 1, count, file)
        return Array(buffer.prefix(read))
    }

    private static func name(_ header: [UInt8]) -> String {
        header.count < 8 ? "" : String(decoding: header[4..<8], as: Unicode.ASCII.self)
    }

    /// The size of a box in bytes; 0 if it is unknown. A 32-bit size of 1 means that a 64-bit size follows.
    private static func size(_ header: [UInt8]) -> Int {
        guard header.count >= 8 else { return 0 }
        let small = header[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard small == 1, header.count == 16 else { return small }
        // The size is larger than any file.
        guard header[8] < 0x40 else { return 0 }
        return header[8...].reduce(0) { $0 << 8 | Int($1) }
    }
}
