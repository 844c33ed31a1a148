/// The box that describes encoded samples, such as `avc1` (ISO/IEC 14496-12, section 8.5.2), whole.
enum SampleEntry {
    /// The boxes follow the fields that all entries of pictures have.
    private static let pictureFields = 8 + 78
    /// The boxes follow the fields that all entries of sound have.
    private static let soundFields = 8 + 28

    /// The description that is right for all segments of a film, made from that of one.
    static func ofFilm(_ entry: [UInt8]) -> [UInt8] { withHeaderOnly(withoutBitrates(entry)) }

    /// Whether pictures of the codec may be decoded in another order than they are shown.
    static func isReordered(_ entry: [UInt8]) -> Bool { ["avc1", "hvc1"].contains(type(entry)) }

    /// The number of channels of AAC; nil where the entry does not say it. The field of the entry itself is 2 whatever the
    /// sound has (ISO/IEC 14496-14, section 5.6).
    static func channels(_ entry: [UInt8]) -> Int? {
        guard let boxes = try? BoxReader(bytes: entry).boxes(in: min(soundFields, entry.count)..<entry.count),
            let box = boxes.first(where: { $0.type == "esds" }),
            let place = AudioDescriptor.config(Array(entry[box.content])), place.count >= 2
        else { return nil }
        // ISO/IEC 14496-3, section 1.6.2.1: five bits for the type, four for the rate, four for the channels.
        guard (place[0] & 7) << 1 | place[1] >> 7 != 15 else { return nil }
        switch place[1] >> 3 & 15 {
        case 0: return nil
        case 7: return 8
        case let count: return Int(count)
        }
    }

    private static func type(_ entry: [UInt8]) -> String {
        entry.count >= 8 ? String(decoding: entry[4..<8], as: UTF8.self) : ""
    }

    /// Leaves out the box `btrt`, which says how many bits the samples of its own file have and differs from segment to
    /// segment.
    private static func withoutBitrates(_ entry: [UInt8]) -> [UInt8] {
        guard entry.count > pictureFields,
            let boxes = try? BoxReader(bytes: entry).boxes(in: pictureFields..<entry.count),
            let bitrates = boxes.first(where: { $0.type == "btrt" })
        else { return entry }
        var writer = BoxWriter()
        writer.write(entry[..<(bitrates.content.lowerBound - 8)] + entry[bitrates.content.upperBound...])
        writer.replace(at: 0, with: writer.bytes.count)
        return writer.bytes
    }

    /// Says that the parameter sets of HEVC are in the header alone: `hvc1` with complete arrays of them (ISO/IEC 14496-15,
    /// section 8.3.3.1). Encoders of the farm write them so, and Apple's players play nothing else.
    private static func withHeaderOnly(_ entry: [UInt8]) -> [UInt8] {
        guard ["hev1", "hvc1"].contains(type(entry)),
            let boxes = try? BoxReader(bytes: entry).boxes(in: min(pictureFields, entry.count)..<entry.count),
            let record = boxes.first(where: { $0.type == "hvcC" })?.content, record.count > 22
        else { return entry }
        var result = entry
        result.replaceSubrange(4..<8, with: "hvc1".utf8)
        var place = record.lowerBound + 23
        for _ in 0..<entry[record.lowerBound + 22] {
            guard place + 3 <= record.upperBound else { return entry }
            // Video, sequence and picture parameter sets; messages may also stand among the samples.
            let isParameterSet = (32...34).contains(entry[place] & 0x3F)
            result[place] = (isParameterSet ? 0x80 : 0) | entry[place] & 0x3F
            let count = Int(entry[place + 1]) << 8 | Int(entry[place + 2])
            place += 3
            for _ in 0..<count {
                guard place + 2 <= record.upperBound else { return entry }
                place += 2 + (Int(entry[place]) << 8 | Int(entry[place + 1]))
            }
        }
        return place <= record.upperBound ? result : entry
    }
}

/// The descriptors of a sound in the box `esds`, which lie in each other (ISO/IEC 14496-1, section 7.2.6).
enum AudioDescriptor {
    /// The configuration of the decoder of AAC; nil where there is none.
    /// - Parameter box: the content of the box.
    static func config(_ box: [UInt8]) -> [UInt8]? {
        var position = 4
        while position + 2 <= box.count {
            let tag = box[position]
            position += 1
            while position < box.count, box[position] & 0x80 != 0 { position += 1 }
            position += 1
            switch tag {
            case 3: position += 3  // the stream's number and flags
            case 4:
                guard position < box.count, box[position] == 0x40 else { return nil }
                position += 13
            case 5: return position < box.count ? Array(box[position...]) : nil
            default: return nil
            }
        }
        return nil
    }
}
