/// The name of a codec with its profile and level, as players ask for it (RFC 6381): `avc1.64001F` or `mp4a.40.2`.
package enum CodecName {
    /// The name for the samples of a track; nil for a codec that has no name here.
    package static func name(of track: MovieTrack) -> String? {
        let entry = track.sampleEntry
        let reader = BoxReader(bytes: entry)
        guard entry.count > 8 else { return nil }
        let type = String(decoding: entry[4..<8], as: UTF8.self)
        // The boxes follow the fields that all entries of pictures, or all of sound, have.
        let fixed = track.kind == .audio ? 8 + 28 : 8 + 78
        guard entry.count > fixed, let boxes = try? reader.boxes(in: fixed..<entry.count) else { return nil }
        func content(_ name: String, atLeast size: Int) -> [UInt8]? {
            boxes.first { $0.type == name && $0.content.count >= size }.map { Array(entry[$0.content]) }
        }
        switch type {
        case "avc1", "avc3": return content("avcC", atLeast: 4).map { "\(type)." + $0[1...3].map(hex).joined() }
        case "hvc1", "hev1": return content("hvcC", atLeast: 13).map { "\(type).\(hevc($0))" }
        case "av01": return content("av1C", atLeast: 3).map { "av01.\(av1($0))" }
        case "vp09": return content("vpcC", atLeast: 7).map { "vp09.\(vp9($0))" }
        case "mp4a": return content("esds", atLeast: 4).flatMap(sound)
        default: return nil
        }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
    private static func decimal(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

    /// ISO/IEC 14496-15, annex E: profile, compatible profiles in reverse order of bits, tier and level, constraints.
    private static func hevc(_ record: [UInt8]) -> String {
        let spaces = ["", "A", "B", "C"]
        let profile = spaces[Int(record[1] >> 6)] + "\(record[1] & 0x1F)"
        var compatible: UInt32 = 0
        for byte in record[2...5] { compatible = compatible << 8 | UInt32(byte) }
        var reversed: UInt32 = 0
        for bit in 0..<32 where compatible & (1 << UInt32(bit)) != 0 { reversed |= 1 << UInt32(31 - bit) }
        let level = (record[1] & 0x20 == 0 ? "L" : "H") + "\(record[12])"
        var constraints = Array(record[6...11])
        while constraints.last == 0 { constraints.removeLast() }
        let parts = [profile, String(reversed, radix: 16, uppercase: true), level]
        return (parts + constraints.map { String($0, radix: 16, uppercase: true) }).joined(separator: ".")
    }

    /// "AV1 Codec ISO Media File Format Binding", section 5: profile, level, tier and depth.
    private static func av1(_ record: [UInt8]) -> String {
        let depth = record[2] & 0x40 == 0 ? 8 : record[2] & 0x20 == 0 ? 10 : 12
        return "\(record[1] >> 5).\(decimal(Int(record[1] & 0x1F)))\(record[2] & 0x80 == 0 ? "M" : "H").\(decimal(depth))"
    }

    /// "VP Codec ISO Media File Format Binding": profile, level and depth, behind the version and flags of the box.
    private static func vp9(_ record: [UInt8]) -> String {
        "\(decimal(Int(record[4]))).\(decimal(Int(record[5]))).\(decimal(Int(record[6] >> 4)))"
    }

    /// The type of the audio object (ISO/IEC 14496-3, section 1.6.2.1).
    private static func sound(_ box: [UInt8]) -> String? { AudioDescriptor.config(box).map { "mp4a.40.\($0[0] >> 3)" } }
}
