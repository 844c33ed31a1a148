import CFFmpeg

/// Finds the NAL units of an H.264 or HEVC packet (ITU-T H.264 and H.265, clause 7.3.1), in byte stream format or with
/// length prefixes.
struct NALUnits {
    private let codec: AVCodecID
    /// The size of each length prefix in bytes; nil in byte stream format.
    private let lengthBytes: Int?

    /// - Returns: nil for other codecs.
    init?(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
        codec = parameters.pointee.codec_id
        let setup = UnsafeBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
        // In ISO/IEC 14496-15, configurationVersion is 1. A start code begins with zeros instead.
        let isRecord = setup.first == 1
        switch codec {
        case AV_CODEC_ID_H264: lengthBytes = isRecord && setup.count > 4 ? Int(setup[4] & 3) + 1 : nil
        case AV_CODEC_ID_HEVC: lengthBytes = isRecord && setup.count > 21 ? Int(setup[21] & 3) + 1 : nil
        default: return nil
        }
    }

    /// Whether decoding can begin at the packet independently of what came before it. In H.264 it can at an IDR
    /// picture. In HEVC it can at any random access point, because pictures that depend on earlier ones are then
    /// skipped.
    func isRandomAccessPoint(_ packet: Packet) -> Bool {
        guard let data = packet.pointer.pointee.data else { return false }
        let bytes = UnsafeBufferPointer(start: data, count: packet.byteCount)
        return headers(bytes).contains { header in
            codec == AV_CODEC_ID_H264 ? header & 31 == 5 : (16...23).contains(header >> 1 & 63)
        }
    }

    /// Whether the slices of an H.264 packet begin with the picture's first macroblock and follow each other downwards. Where
    /// a slice is doubled or fields are stored one after the other, they do not.
    func hasSlicesInOrder(_ packet: Packet) -> Bool {
        guard codec == AV_CODEC_ID_H264, let data = packet.pointer.pointee.data else { return true }
        let bytes = UnsafeBufferPointer(start: data, count: packet.byteCount)
        var next = 0
        for place in starts(in: bytes) where [1, 5].contains(bytes[place] & 31) {
            let first = NALUnits.firstMacroblock(bytes[(place + 1)...])
            guard let first, next == 0 ? first == 0 : first >= next else { return false }
            next = first + 1
        }
        return true
    }

    /// The first field of a slice header, `first_mb_in_slice` (clause 7.3.3), an Exp-Golomb code (clause 9.1).
    /// - Returns: nil where the code is longer than that of any picture.
    private static func firstMacroblock(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var bits: UInt64 = 0
        var (count, zeros) = (0, 0)
        for byte in bytes.prefix(6) {
            // A 3 behind two zeros keeps them from being taken for a start code (clause 7.4.1).
            let isStuffing = zeros == 2 && byte == 3
            zeros = byte == 0 ? zeros + 1 : 0
            if isStuffing { continue }
            count += 8
            bits |= UInt64(byte) << UInt64(64 - count)
        }
        // The code has as many zeros in front of its first one as bits behind it.
        let leading = bits.leadingZeroBitCount
        guard leading <= 20, leading * 2 < count else { return nil }
        return Int(bits >> UInt64(63 - 2 * leading)) - 1
    }

    /// Marks an HEVC clean random access picture as one with a broken link to the pictures before it (ITU-T H.265,
    /// 7.4.2.2: CRA_NUT becomes BLA_W_LP), which it has after splicing. Other pictures stay as they are.
    /// - Parameter packet: a packet in byte stream format.
    static func markBrokenLink(_ packet: Packet) {
        guard let data = packet.pointer.pointee.data else { return }
        let bytes = UnsafeMutableBufferPointer(start: data, count: packet.byteCount)
        for place in starts(UnsafeBufferPointer(bytes)) where bytes[place] >> 1 & 63 == 21 {
            bytes[place] = bytes[place] & 0x81 | 16 << 1
        }
    }

    /// The first header byte of each unit.
    private func headers(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] { starts(in: bytes).map { bytes[$0] } }

    /// The offset of each unit's first byte.
    private func starts(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        guard let lengthBytes else { return NALUnits.starts(bytes) }
        var found: [Int] = []
        var place = 0
        while place + lengthBytes < bytes.count {
            let length = bytes[place..<place + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
            found.append(place + lengthBytes)
            place += lengthBytes + length
        }
        return found
    }

    /// The offset of each unit's first byte, in byte stream format.
    private static func starts(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var found: [Int] = []
        var place = 0
        while place + 3 < bytes.count {
            if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                found.append(place + 3)
                place += 3
            }
            place += 1
        }
        return found
    }
}
