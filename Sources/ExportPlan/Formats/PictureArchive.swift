/// The archive of a sequence's pictures: a tape archive (POSIX.1-2008, pax, "ustar interchange format") of numbered files,
/// without dates and owners, so that the same pictures give the same bytes. Segments and films have the same form.
package enum PictureArchive {
    /// The bytes of a block: headers have one, contents are filled up to whole ones, and two of zeros end an archive.
    package static let block = 512

    /// A file of an archive.
    package struct Entry: Hashable, Sendable {
        package var name: String
        /// The place of the file's bytes in the archive.
        package var range: Range<Int>
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
    ///   - byteCount: of the whole archive.
    ///   - read: returns the bytes of a range that is inside it.
    /// - Throws: `Fault` for anything but an archive that `header` and `filling` made, and errors of `read`.
    package static func entries(byteCount: Int, _ read: (Range<Int>) throws -> [UInt8]) throws -> [Entry] {
        var entries: [Entry] = []
        var place = 0
        while place + block <= byteCount {
            let header = try read(place..<place + block)
            guard header.count == block else { throw Fault(message: "ends inside a header") }
            if header.allSatisfy({ $0 == 0 }) { return entries }
            let name = header.prefix(100).prefix { $0 != 0 }
            guard isPlain(name), let size = number(header[124..<135]), let sum = number(header[148..<154]) else {
                throw Fault(message: "has a file of another kind at byte \(place)")
            }
            let summed = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            guard sum == summed else { throw Fault(message: "has a damaged header at byte \(place)") }
            let contents = place + block..<place + block + size
            guard contents.upperBound <= byteCount else { throw Fault(message: "ends inside a picture") }
            entries.append(Entry(name: String(decoding: name, as: UTF8.self), range: contents))
            place = contents.upperBound + filling(size).count
        }
        throw Fault(message: "has no end")
    }

    /// Whether a name has digits, a point and small letters, and so leads out of no folder.
    private static func isPlain(_ name: some Collection<UInt8>) -> Bool {
        let parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
            && parts[0].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            && parts[1].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    private static func octal(_ value: Int, _ digits: Int) -> String { padded(String(value, radix: 8), digits) }

    private static func padded(_ text: String, _ digits: Int) -> String {
        String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 >= 0 ? $0 : nil }
    }
}
