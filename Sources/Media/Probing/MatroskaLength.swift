import CFFmpeg
import ExactTime
import ExportPlan
import Glibc

/// Corrects the durations that a finished Matroska or WebM file declares (RFC 9559, sections 5.1.2 and 5.1.8).
/// libavformat rounds them to milliseconds and includes the silence that Opus adds before and after the sound; here
/// they become exact. `MovieWriter` calls it when the file is complete.
struct MatroskaLength {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>

    private enum Element {
        static let segment = 0x1853_8067
        static let info = 0x1549_A966
        static let duration = 0x4489
        static let tags = 0x1254_C367
        static let tag = 0x7373
        static let targets = 0x63C0
        static let trackIdentifier = 0x63C5
        static let simpleTag = 0x67C8
        static let tagName = 0x45A3
        static let tagString = 0x4487
    }

    /// Writes the durations of a file and its tracks.
    /// - Parameters:
    ///   - path: a file whose clock counts milliseconds, as libavformat writes it, with track identifiers 1, 2, ...
    ///   - lengths: the duration of each track in seconds, in the order in which the tracks were added.
    /// - Throws: `MediaError` `cannotWrite`.
    static func declare(_ lengths: [Rational], in path: String) throws(MediaError) {
        guard let longest = lengths.max() else { return }
        guard let file = fopen(path, "r+be") else { throw cannotWrite(path) }
        let isWritten = MatroskaLength(path: path, file: file).declare(longest, lengths)
        // Closing writes what is still buffered, so it can fail, too.
        guard fclose(file) == 0, isWritten else { throw cannotWrite(path) }
    }

    private static func cannotWrite(_ path: String) -> MediaError {
        MediaError(.cannotWrite, subject: path, message: "cannot be completed: its length cannot be written")
    }

    private func declare(_ longest: Rational, _ lengths: [Rational]) -> Bool {
        guard fseek(file, 0, SEEK_END) == 0 else { return false }
        let end = ftell(file)
        guard let segment = children(0..<end).first(where: { $0.id == Element.segment }) else { return false }
        let parts = children(segment.content)
        guard let info = parts.first(where: { $0.id == Element.info }),
            let duration = children(info.content).first(where: { $0.id == Element.duration }), duration.content.count == 8
        else { return false }
        let milliseconds = (longest * Rational(1000)).doubleValue.bitPattern
        guard write((0..<8).map { UInt8(truncatingIfNeeded: milliseconds >> (56 - 8 * $0)) }, at: duration.content.lowerBound)
        else { return false }
        let tags = parts.filter { $0.id == Element.tags }.flatMap { children($0.content) }.filter { $0.id == Element.tag }
        return tags.allSatisfy { declare(lengths, inTag: children($0.content)) }
    }

    /// Writes the tag `DURATION` of one track; other tags stay as they are.
    private func declare(_ lengths: [Rational], inTag parts: [Part]) -> Bool {
        guard let target = parts.first(where: { $0.id == Element.targets }),
            let identifier = children(target.content).first(where: { $0.id == Element.trackIdentifier })
        else { return true }
        let track = bytes(identifier.content).reduce(0) { $0 << 8 | Int($1) } - 1
        guard lengths.indices.contains(track) else { return true }
        for tag in parts where tag.id == Element.simpleTag {
            let fields = children(tag.content)
            guard let name = fields.first(where: { $0.id == Element.tagName }),
                let value = fields.first(where: { $0.id == Element.tagString }),
                bytes(name.content).elementsEqual("DURATION".utf8)
            else { continue }
            let text = Array(MatroskaLength.text(of: lengths[track]).utf8)
            guard text.count <= value.content.count else { return false }
            let padding = [UInt8](repeating: 0, count: value.content.count - text.count)
            guard write(text + padding, at: value.content.lowerBound) else { return false }
        }
        return true
    }

    /// A duration as hours, minutes, seconds and nanoseconds, as libavformat and mkvmerge write it:
    /// `00:01:02.500000000`.
    static func text(of seconds: Rational) -> String {
        let nanoseconds = (seconds * Rational(1_000_000_000)).rounded
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let whole = nanoseconds / 1_000_000_000
        return "\(digits(whole / 3600, 2)):\(digits(whole / 60 % 60, 2)):\(digits(whole % 60, 2))."
            + digits(nanoseconds % 1_000_000_000, 9)
    }

    private struct Part {
        var id: Int
        /// The byte range of the element's content, after its identifier and size.
        var content: Range<Int>
    }

    /// The elements in a byte range of the file. Elements after one of unknown size are not found.
    private func children(_ range: Range<Int>) -> [Part] {
        var found: [Part] = []
        var place = range.lowerBound
        while place < range.upperBound {
            guard let id = number(at: place, keepsMarker: true), let size = number(at: place + id.length, keepsMarker: false)
            else { break }
            let start = place + id.length + size.length
            guard start + size.value <= range.upperBound else { break }
            found.append(Part(id: id.value, content: start..<start + size.value))
            place = start + size.value
        }
        return found
    }

    /// A variable-length number (RFC 8794, section 4): the number of leading zero bits is the number of bytes that
    /// follow the first.
    private func number(at place: Int, keepsMarker: Bool) -> (value: Int, length: Int)? {
        guard let first = bytes(place..<place + 1).first, first != 0 else { return nil }
        let length = first.leadingZeroBitCount + 1
        let all = bytes(place..<place + length)
        guard all.count == length else { return nil }
        let value = all.reduce(0) { $0 << 8 | Int($1) }
        return (keepsMarker ? value : value & ((1 << (7 * length)) - 1), length)
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: range.count)
        guard fseek(file, range.lowerBound, SEEK_SET) == 0 else { return [] }
        let count = fread(&buffer, 1, buffer.count, file)
        return Array(buffer.prefix(count))
    }

    private func write(_ bytes: [UInt8], at place: Int) -> Bool {
        fseek(file, place, SEEK_SET) == 0 && fwrite(bytes, 1, bytes.count, file) == bytes.count
    }
}
