package import ExactTime
import ExportPlan
import FoundationEssentials
import Glibc

/// Shortens the edit lists of a finished MP4 or MOV file (ISO/IEC 14496-12, section 8.6.6), which say how much of each
/// track is shown. libavformat writes edit lists over everything that a track holds; packets that are there only
/// because other pictures need them must be excluded.
package struct MovieLength {
    private let path: String
    private let place: Int
    private var movie: [UInt8]

    /// - Throws: `MediaError` `cannotWrite` if the file has no `moov` box.
    package init(path: String) throws(MediaError) {
        self.path = path
        let file = try SourceFile(path: path)
        var place = 0
        while place + 16 <= file.byteCount {
            let header = try file.bytes(place..<place + 16)
            let size = MovieLength.size(header)
            guard size >= 8, size <= file.byteCount - place else { break }
            if header[4..<8].elementsEqual("moov".utf8) {
                self.place = place
                movie = try file.bytes(place..<place + size)
                return
            }
            place += size
        }
        throw MediaError(
            .cannotWrite, subject: path,
            message: "has no index (the moov box); check the disk that it is on, and try again")
    }

    /// The size of a box in bytes; 0 if it is unknown. A 32-bit size of 1 means that a 64-bit size follows.
    static func size(_ header: [UInt8]) -> Int {
        guard header.count >= 8 else { return 0 }
        let small = header[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard small == 1 else { return small }
        return header.count < 16 ? 0 : header[8..<16].reduce(0) { $0 << 8 | Int($1) } & Int.max
    }

    /// Limits how much of each track is shown.
    /// - Parameter lengths: the most that is shown of each track, in the order of the tracks.
    /// - Throws: `MediaError` `cannotWrite`.
    package mutating func shorten(to lengths: [MediaTime]) throws(MediaError) {
        guard let header = boxes(in: 8..<movie.count).first(where: { $0.type == "mvhd" }) else { return }
        let clock = field(header, before: 12, wide: 20, width: (4, 4))
        let ticksPerSecond = number(clock)
        var longest = 0
        for (track, length) in zip(boxes(in: 8..<movie.count).filter { $0.type == "trak" }, lengths) {
            longest = max(longest, shorten(track.content, to: length.rounded(toRate: ticksPerSecond)))
        }
        set(field(header, before: 16, wide: 24, width: (4, 8)), to: longest)
        guard let file = fopen(path, "r+be") else { throw cannotWrite }
        defer { fclose(file) }
        guard fseek(file, place, SEEK_SET) == 0, fwrite(movie, 1, movie.count, file) == movie.count, fflush(file) == 0 else {
            throw cannotWrite
        }
    }

    /// - Returns: the new duration of the track, in ticks of the movie's clock.
    private mutating func shorten(_ track: Range<Int>, to length: Int) -> Int {
        let parts = boxes(in: track)
        guard let header = parts.first(where: { $0.type == "tkhd" }), let edits = parts.first(where: { $0.type == "edts" }),
            let list = boxes(in: edits.content).first(where: { $0.type == "elst" })
        else { return length }
        let isWide = movie[list.content.lowerBound] == 1
        let count = number(list.content.lowerBound + 4..<list.content.lowerBound + 8)
        var total = 0
        for entry in 0..<count {
            let start = list.content.lowerBound + 8 + entry * (isWide ? 20 : 12)
            let duration = start..<start + (isWide ? 8 : 4)
            let kept = min(number(duration), length - total)
            set(duration, to: kept)
            total += kept
        }
        set(field(header, before: 20, wide: 28, width: (4, 8)), to: total)
        return total
    }

    private var cannotWrite: MediaError { MediaError(.cannotWrite, subject: path, message: "cannot be completed") }

    private struct Box {
        var type: String
        /// The byte range after the size and the type.
        var content: Range<Int>
    }

    private func boxes(in range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let size = number(place..<place + 4)
            guard size >= 8, place + size <= range.upperBound else { break }
            let type = String(decoding: movie[place + 4..<place + 8], as: Unicode.ASCII.self)
            found.append(Box(type: type, content: place + 8..<place + size))
            place += size
        }
        return found
    }

    /// A field of a box that has two versions.
    /// - Parameters:
    ///   - before: the field's offset in version 0, in bytes; `wide` is its offset in version 1.
    ///   - width: the field's size in version 0 and in version 1, in bytes.
    private func field(_ box: Box, before: Int, wide: Int, width: (Int, Int)) -> Range<Int> {
        let isWide = movie[box.content.lowerBound] == 1
        let start = box.content.lowerBound + (isWide ? wide : before)
        return start..<start + (isWide ? width.1 : width.0)
    }

    private func number(_ range: Range<Int>) -> Int { movie[range].reduce(0) { $0 << 8 | Int($1) } }

    private mutating func set(_ range: Range<Int>, to value: Int) {
        for (offset, place) in range.reversed().enumerated() { movie[place] = UInt8(truncatingIfNeeded: value >> (8 * offset)) }
    }
}
