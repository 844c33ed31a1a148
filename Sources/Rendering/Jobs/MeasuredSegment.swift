import ExportPlan
import Media
import FoundationEssentials

/// The artifact of a measured segment: a line of JSON with its cost, followed by the files that the encoder's second
/// pass reads.
struct MeasuredSegment {
    private struct Header: Codable {
        struct Part: Codable {
            var suffix: String
            var byteCount: Int
        }
        var cost: PictureCost
        var parts: [Part]
    }

    private let header: Header
    private let file: String
    private let content: Data

    var cost: PictureCost { header.cost }

    /// - Throws: `JobFailure` when the file is not a measured segment.
    init(file: String) throws {
        self.file = file
        let bytes = Data(try SourceFile(path: file).bytes())
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let known = try? JSONDecoder().decode(Header.self, from: bytes[..<end])
        else { throw JobFailure(.crash, subject: file, message: "is not a measured segment") }
        header = known
        content = bytes[(end + 1)...]
    }

    static func write(_ cost: PictureCost, _ statistics: UnpackedStatistics, to path: String) throws {
        var header = Header(cost: cost, parts: [])
        var content = Data()
        for suffix in PassStatistics.suffixes {
            guard let bytes = try part(statistics.path + suffix) else { continue }
            header.parts.append(Header.Part(suffix: suffix, byteCount: bytes.count))
            content.append(contentsOf: bytes)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var file = try encoder.encode(header)
        file.append(UInt8(ascii: "\n"))
        file.append(content)
        try writeFile(file, to: path)
    }

    /// - Returns: nil where the file does not exist, because most encoders write only one or two of them.
    private static func part(_ path: String) throws(MediaError) -> [UInt8]? {
        do throws(MediaError) {
            return try SourceFile(path: path, canBeEmpty: true).bytes()
        } catch {
            if error.code == .missing { return nil }
            throw error
        }
    }

    /// Writes the encoder's statistics files to paths that begin with `path`.
    func unpack(to path: String) throws -> UnpackedStatistics {
        let statistics = UnpackedStatistics(path: path)
        var rest = content
        do {
            for part in header.parts {
                guard rest.count >= part.byteCount else {
                    throw JobFailure(.crash, subject: file, message: "is not a measured segment")
                }
                try writeFile(rest.prefix(part.byteCount), to: path + part.suffix)
                rest = rest.dropFirst(part.byteCount)
            }
        } catch {
            statistics.remove()
            throw error
        }
        return statistics
    }
}

/// The statistics files of an encoder's first pass on disk, until they are removed.
struct UnpackedStatistics {
    let path: String

    func remove() { PassStatistics.suffixes.forEach { removeFile(path + $0) } }
}

extension BitAllocation {
    /// - Throws: `JobFailure` when the file is not a bit allocation.
    init(file: String) throws {
        let bytes = Data(try SourceFile(path: file).bytes())
        guard let known = try? JSONDecoder().decode(BitAllocation.self, from: bytes) else {
            throw JobFailure(.crash, subject: file, message: "is not an allocation of bits")
        }
        self = known
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try writeFile(try encoder.encode(self), to: path)
    }

    /// - Throws: `JobFailure` for a segment that does not belong to the film.
    func share(of measure: ArtifactKey) throws -> Double {
        guard let share = bits[measure.text] else {
            throw JobFailure(.crash, subject: measure.text, message: "is not among those that bits are allocated to")
        }
        return share
    }
}
