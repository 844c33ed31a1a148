import Vocabulary

/// Checks the settings of a film that keeps its transparency.
extension ExportSettings {
    func checkTransparency(_ reader: inout ObjectReader) {
        if alpha == false, preset == .proRes4444 {
            reader.report(
                "alpha", .conflict, "is what the preset proRes4444 is for; leave it out, or give the preset proRes422")
        }
        guard alpha ?? (preset == .proRes4444) else { return }
        let place = alpha == nil ? "preset" : "alpha"
        let container = decidedFileType.format
        guard container.hasVideo, let codec = decidedVideoCodec else {
            return reader.report(place, .conflict, "is not supported: \(container.lackOfVideo)")
        }
        // A codec that does not go into the container at all is reported already.
        guard container.transparentCodecs.contains(codec) || !container.videoCodecs.contains(codec) else {
            return reader.report(
                place, .conflict,
                "\(codec.rawValue) in a \(container.type) file cannot keep transparency; these can: "
                    + ExportSettings.transparentFormats)
        }
        if colorRange == .hdr {
            reader.report("colorRange", .conflict, "hdr composes nothing, and transparent pictures are composed; leave one out")
        }
        if let colorRange, [.bt601, .displayP3].contains(colorRange), codec.format.hasColorTags {
            reader.report(
                "colorRange", .conflict,
                "\(colorRange.rawValue) is not supported with alpha, which is composed in BT.709; leave it out")
        }
        let rates = [("videoBitrate", videoBitrate != nil), ("fileSizeLimit", fileSizeLimit != nil)]
        for (name, isSet) in rates where isSet && codec.format.bitrate != nil {
            reader.report(
                name, .conflict, "is not supported with alpha, whose bits no encoder can plan; give a videoQuality")
        }
    }

    /// The formats that keep transparency, as words: "vp9 in webm".
    private static var transparentFormats: String {
        FormatCatalogue.containers.flatMap { container in
            container.transparentCodecs.map { "\($0.rawValue) in \(container.type)" }
        }.joined(separator: ", ")
    }
}
