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

    /// Whether the slices of an H.264 packet begin with the picture's first macroblock and follow each other downwards, and
    /// nothing in the packet would be divided into units in another way by another reader. Damage elsewhere is told by
    /// libavcodec, but a part of a picture that is written twice, or units that are hidden in others, are not.
    func hasSlicesInOrder(_ packet: Packet) -> Bool {
        guard codec == AV_CODEC_ID_H264, let data = packet.pointer.pointee.data else { return true }
        guard av_packet_get_side_data(packet.pointer, AV_PKT_DATA_NEW_EXTRADATA, nil) == nil else { return false }
        let bytes = UnsafeBufferPointer(start: data, count: packet.byteCount)
        /// The macroblock at or behind which the next slice has to begin; nil before the first one.
        var least: Int?
        func isInOrder(_ unit: Range<Int>) -> Bool {
            switch bytes[unit.lowerBound] & 31 {
            case 1, 5:
                guard let first = NALUnits.firstMacroblock(bytes[unit.dropFirst()]) else { return false }
                guard least.map({ first >= $0 }) ?? (first == 0) else { return false }
                least = first + 1
                return true
            // Data partitions, and parameter sets behind a slice.
            case 2...4: return false
            case 7, 8, 13, 15: return least == nil
            default: return true
            }
        }
        guard let lengthBytes else {
            var place = bytes.startIndex
            while let unit = NALUnits.unit(in: bytes, from: place) {
                guard isInOrder(unit) else { return false }
                place = unit.upperBound
            }
            return true
        }
        var place = 0
        while place < bytes.count {
            guard place + lengthBytes < bytes.count else { return false }
            let length = bytes[place..<place + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
            place += lengthBytes
            guard length > 1, length <= bytes.count - place else { return false }
            let unit = place..<place + length
            guard NALUnits.startCode(in: bytes, unit) == nil, isInOrder(unit) else { return false }
            place += length
        }
        return true
    }

    /// The place of the first start code, `00 00 01`, in a part of the bytes.
    private static func startCode(in bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) -> Int? {
        var place = part.lowerBound
        while place + 2 < part.upperBound {
            if bytes[place + 2] > 1 {
                place += 3
            } else if bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 {
                return place
            } else {
                place += 1
            }
        }
        return nil
    }

    /// The first unit that is not empty at or behind a place, in byte stream format.
    private static func unit(in bytes: UnsafeBufferPointer<UInt8>, from place: Int) -> Range<Int>? {
        var place = place
        while let code = startCode(in: bytes, place..<bytes.count) {
            let start = code + 3
            let end = startCode(in: bytes, start..<bytes.count) ?? bytes.count
            if start < end { return start..<end }
            place = start
        }
        return nil
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
    private func headers(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        guard let lengthBytes else { return NALUnits.starts(bytes).map { bytes[$0] } }
        var found: [UInt8] = []
        var place = 0
        while place + lengthBytes < bytes.count {
            let length = bytes[place..<place + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
            found.append(bytes[place + lengthBytes])
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
