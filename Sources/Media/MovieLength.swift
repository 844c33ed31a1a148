public import ExactTime
public import ExportPlan

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The edit lists of a finished MP4 or MOV file (ISO/IEC 14496-12, section 8.6.6): how much of each track is shown. libavformat writes
/// them for all that a track holds; what is there only because other pictures need it has to be left out.
public struct MovieLength {
    private let path: String
    private let place: Int
    private var movie: [UInt8]

    /// - Throws: `MediaError` `damaged` where the file is no movie.
    public init(path: String) throws(MediaError) {
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
        throw MediaError(.damaged, subject: path, message: "has no list of its tracks")
    }

    /// Of a box, where a size of 1 stands before one of 64 bits.
    static func size(_ header: [UInt8]) -> Int {
        guard header.count >= 8 else { return 0 }
        let small = header[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard small == 1 else { return small }
        return header.count < 16 ? 0 : header[8..<16].reduce(0) { $0 << 8 | Int($1) } & Int.max
    }

    /// Shows no more of each track than this.
    /// - Parameter lengths: in the order of the tracks.
    /// - Throws: `MediaError` `cannotWrite`.
    public mutating func shorten(to lengths: [MediaTime]) throws(MediaError) {
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

    /// - Returns: how long the track is then, in ticks of the movie's clock.
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
        /// Behind size and type.
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
    ///   - before: bytes before it in version 0; `wide` in version 1.
    ///   - width: its bytes in both.
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
