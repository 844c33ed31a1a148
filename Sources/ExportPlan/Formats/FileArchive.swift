import Vocabulary

/// The archive of numbered pictures or of the files of a stream: a tape archive (POSIX.1-2008, pax, "ustar interchange
/// format") without dates and owners, so that the same files give the same bytes. Segments and films have the same form.
package enum FileArchive {
    /// The bytes of a block: headers have one, contents are filled up to whole ones, and two of zeros end an archive.
    package static let block = 512

    /// A file of an archive has fewer bytes, because headers have eleven octal digits for their number.
    package static let largestFile = 1 << 33

    /// A file of an archive.
    package struct Entry: Hashable, Sendable {
        package var name: String
        /// The place of the file's bytes in the archive.
        package var range: Range<Int>
    }

    /// The names that the files of an archive may have. None leads out of the folder into which they are unpacked.
    package enum Names: Sendable {
        /// Digits, and a suffix of small letters.
        case pictures
        /// The names of `StreamNames` with their suffixes, each once.
        case stream
    }

    /// What is wrong with an archive, as words for a message.
    package struct Fault: Error, Hashable, Sendable {
        package var message: String
    }

    /// The name of a picture.
    /// - Parameters:
    ///   - number: counted from 1.
    ///   - suffix: without a dot.
    package static func name(_ number: Int, _ suffix: String) -> String { "\(padded("\(number)", 5)).\(suffix)" }

    /// The header of a file.
    /// - Parameter byteCount: of its contents, less than 8 GiB.
    package static func header(_ name: String, byteCount: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at place: Int) { bytes.replaceSubrange(place..<place + text.utf8.count, with: text.utf8) }
        put(name, at: 0)
        put(octal(0o644, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        put(octal(byteCount, 11), at: 124)
        put(octal(0, 11), at: 136)
        put("        0", at: 148)
        put("ustar\u{0}00", at: 257)
        let sum = bytes.reduce(0) { $0 + Int($1) }
        put(octal(sum, 6) + "\u{0} ", at: 148)
        return bytes
    }

    /// The zeros behind contents.
    package static func filling(_ byteCount: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (block - byteCount % block) % block)
    }

    /// The end of an archive.
    package static let end = [UInt8](repeating: 0, count: 2 * block)

    /// The files of an archive, in order.
    /// - Parameters:
    ///   - names: the names that are allowed.
    ///   - byteCount: of the whole archive.
    ///   - read: returns the bytes of a range that is inside it.
    /// - Throws: `Fault` for anything but an archive that `header` and `filling` made, and errors of `read`.
    package static func entries(
        _ names: Names = .pictures, byteCount: Int, _ read: (Range<Int>) throws -> [UInt8]
    ) throws -> [Entry] {
        var entries: [Entry] = []
        var place = 0
        while place + block <= byteCount {
            let header = try read(place..<place + block)
            guard header.count == block else { throw Fault(message: "ends inside a header") }
            if header.allSatisfy({ $0 == 0 }) { return entries }
            let name = header.prefix(100).prefix { $0 != 0 }
            let isKnown = entries.contains { $0.name.utf8.elementsEqual(name) }
            guard names.allow(name), !(names == .stream && isKnown), let size = number(header[124..<135]),
                let sum = number(header[148..<154])
            else {
                throw Fault(message: "has a file of another kind at byte \(place)")
            }
            let summed = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            guard sum == summed else { throw Fault(message: "has a damaged header at byte \(place)") }
            let contents = place + block..<place + block + size
            guard contents.upperBound <= byteCount else { throw Fault(message: "ends inside a file") }
            entries.append(Entry(name: String(decoding: name, as: UTF8.self), range: contents))
            place = contents.upperBound + filling(size).count
        }
        throw Fault(message: "has no end")
    }

    private static func octal(_ value: Int, _ digits: Int) -> String { padded(String(value, radix: 8), digits) }

    private static func padded(_ text: String, _ digits: Int) -> String {
        String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 >= 0 ? $0 : nil }
    }
}

extension FileArchive.Names {
    fileprivate func allow(_ name: some Collection<UInt8>) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return false }
        switch self {
        case .pictures: return parts[0].allSatisfy(digits.contains) && parts[1].allSatisfy(letters.contains)
        case .stream:
            return StreamNames.isName(
                String(decoding: parts[0], as: UTF8.self), suffix: String(decoding: parts[1], as: UTF8.self))
        }
    }
}
