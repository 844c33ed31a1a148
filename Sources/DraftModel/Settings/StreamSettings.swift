import Vocabulary

/// The settings of a stream (`hls`): renditions among which players choose by what they can load.
extension ExportSettings {
    /// The lengths of the shorter side that a rendition may have, in pixels.
    package static let renditionSides = 64...8192
    /// How many renditions a stream has at most.
    package static let mostRenditions = 8

    /// Whether the film is a stream.
    package var isStream: Bool { decidedFileType.format.content == .stream }

    /// Refuses what streams do not have, and renditions of other films.
    func checkStream(_ reader: inout ObjectReader) {
        guard isStream else {
            if renditions != nil {
                reader.report("renditions", .conflict, "belongs to a stream; set fileType to hls, or leave it out")
            }
            return
        }
        for (name, isSet) in [("videoBitrate", videoBitrate != nil), ("fileSizeLimit", fileSizeLimit != nil)] where isSet {
            reader.report(name, .conflict, "is not supported for a stream, whose renditions have a quality; give a videoQuality")
        }
        for (name, isSet) in [("posterTime", posterTime != nil), ("spriteInterval", spriteInterval != nil)] where isSet {
            reader.report(name, .conflict, "is not supported for a stream; make the pictures with an export of another file type")
        }
        if optimizeForNetworkUse != nil {
            reader.report("optimizeForNetworkUse", .conflict, "is not supported for a stream, which always is; leave it out")
        }
        if colorRange == .hdr {
            reader.report("colorRange", .conflict, "hdr is not supported for a stream; leave it out, or write mp4")
        }
    }
}

extension ObjectReader {
    /// Reads the shorter sides of a stream's renditions, as in `1080,720,480`.
    mutating func renditions(_ name: String) -> [Int]? {
        guard let text = string(name) else { return nil }
        let sides = text.split(separator: ",", omittingEmptySubsequences: false).map { side -> Int? in
            let words = side.split(separator: " ")
            return words.count == 1 ? Int(words[0]) : nil
        }
        let known = sides.compactMap(\.self)
        guard known.count == sides.count, known.allSatisfy({ ExportSettings.renditionSides.contains($0) && $0 % 2 == 0 }) else {
            report(
                name, .invalidValue,
                "must be the shorter sides of the pictures in even pixels of 64...8192, as in 1080,720,480, not '\(text)'")
            return nil
        }
        guard Set(known).count == known.count else {
            report(name, .invalidValue, "has a rendition twice: '\(text)'")
            return nil
        }
        guard known.count <= ExportSettings.mostRenditions else {
            report(name, .outOfRange, "has \(known.count) renditions; a stream may have \(ExportSettings.mostRenditions)")
            return nil
        }
        return known.sorted(by: >)
    }
}
