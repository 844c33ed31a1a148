import FoundationEssentials

/// The top-level boxes of an MP4 or MOV file (ISO/IEC 14496-12, section 4.2), in file order.
package enum MovieBoxes {
    /// - Returns: the boxes' four-character types.
    package static func types(of path: String) throws -> [String] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var types: [String] = []
        var place = 0
        while place + 8 <= bytes.count {
            let small = number(bytes[place..<(place + 4)])
            types.append(String(decoding: bytes[(place + 4)..<(place + 8)], as: UTF8.self))
            // A size of 1 means that a 64-bit size follows; a size of 0 means the rest of the file.
            let size = small == 1 && place + 16 <= bytes.count ? number(bytes[(place + 8)..<(place + 16)]) : small
            guard size >= 8 else { break }
            place += size
        }
        return types
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
