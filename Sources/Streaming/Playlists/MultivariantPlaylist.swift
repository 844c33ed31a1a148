/// The playlist of a stream in HLS that names its tracks (RFC 8216, section 4.3.4): the pictures in one or several
/// renditions, their sounds and subtitles.
package struct MultivariantPlaylist: Sendable {
    /// The pictures in one size.
    package struct Variant: Sendable {
        /// The playlist of the pictures.
        package var file: String
        /// The playlist of the keyframes; nil where there is none.
        package var keyframes: (file: String, bandwidth: Int)?
        /// The codec of the pictures (`CodecName`).
        package var codec: String
        /// In pixels; nil where it is not known.
        package var size: (width: Int, height: Int)?
        /// The most bits a second, without the sound.
        package var bandwidth: Int
        /// The average in bits a second, without the sound; nil where it is not known.
        package var averageBandwidth: Int?

        package init(
            file: String, keyframes: (file: String, bandwidth: Int)? = nil, codec: String, size: (width: Int, height: Int)?,
            bandwidth: Int, averageBandwidth: Int? = nil
        ) {
            self.file = file
            self.keyframes = keyframes
            self.codec = codec
            self.size = size
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
        }
    }

    /// A track beside the pictures, of which a player chooses one of each kind.
    package struct Track: Hashable, Sendable {
        /// The track's playlist.
        package var file: String
        /// The name that players show.
        package var name: String
        /// A tag of RFC 5646; nil where it is not known.
        package var language: String?
        /// The codec of a sound (`CodecName`); nil for subtitles.
        package var codec: String?
        /// The number of channels of a sound; nil where it is not known.
        package var channels: Int?
        /// The most bits a second.
        package var bandwidth: Int
        /// The average in bits a second.
        package var averageBandwidth: Int

        package init(
            file: String, name: String, language: String?, codec: String? = nil, channels: Int? = nil, bandwidth: Int = 0,
            averageBandwidth: Int? = nil
        ) {
            self.file = file
            self.name = name
            self.language = language
            self.codec = codec
            self.channels = channels
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth ?? bandwidth
        }
    }

    /// Players begin with the first one.
    package var variants: [Variant]
    /// The first one is that which players choose.
    package var sounds: [Track]
    /// None is shown unless a viewer chooses it.
    package var subtitles: [Track]
    /// Pictures a second.
    package var frameRate: Double
    /// The tags of the film by their names, of which players show the title.
    package var tags: [String: String] = [:]

    package init(variants: [Variant], sounds: [Track], subtitles: [Track] = [], frameRate: Double) {
        self.variants = variants
        self.sounds = sounds
        self.subtitles = subtitles
        self.frameRate = frameRate
    }

    package var text: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) {
            let id = name == "title" ? "com.apple.hls.title" : "metadata.\(MultivariantPlaylist.quotable(name))"
            lines.append("#EXT-X-SESSION-DATA:DATA-ID=\"\(id)\",VALUE=\"\(MultivariantPlaylist.quotable(value))\"")
        }
        lines += media("AUDIO", "sound", sounds, hasDefault: true)
        lines += media("SUBTITLES", "subtitles", subtitles, hasDefault: false)
        for variant in variants { lines += stream(variant) }
        for variant in variants {
            guard let keyframes = variant.keyframes else { continue }
            let attributes =
                ["BANDWIDTH=\(max(1, keyframes.bandwidth))", "CODECS=\"\(variant.codec)\""] + resolution(variant)
                + ["URI=\"\(keyframes.file)\""]
            lines.append("#EXT-X-I-FRAME-STREAM-INF:" + attributes.joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The tracks of a group, whose names differ (RFC 8216, section 4.3.4.1.1). Players choose by themselves among the first
    /// ones of each language.
    private func media(_ type: String, _ group: String, _ tracks: [Track], hasDefault: Bool) -> [String] {
        var names: Set<String> = []
        var languages: Set<String?> = []
        return tracks.enumerated().map { number, track in
            let wanted = MultivariantPlaylist.quotable(track.name)
            let name = names.contains(wanted) ? "\(wanted) (\(number + 1))" : wanted
            names.insert(name)
            var attributes = ["TYPE=\(type)", "GROUP-ID=\"\(group)\"", "NAME=\"\(name)\""]
            if let language = track.language { attributes.append("LANGUAGE=\"\(MultivariantPlaylist.quotable(language))\"") }
            let isFirst = languages.insert(track.language).inserted
            attributes += ["DEFAULT=\(hasDefault && number == 0 ? "YES" : "NO")", "AUTOSELECT=\(isFirst ? "YES" : "NO")"]
            if let channels = track.channels { attributes.append("CHANNELS=\"\(channels)\"") }
            return "#EXT-X-MEDIA:" + (attributes + ["URI=\"\(track.file)\""]).joined(separator: ",")
        }
    }

    private func stream(_ variant: Variant) -> [String] {
        var attributes = ["BANDWIDTH=\(max(1, variant.bandwidth + (sounds.map(\.bandwidth).max() ?? 0)))"]
        if let average = variant.averageBandwidth {
            attributes.append("AVERAGE-BANDWIDTH=\(max(1, average + (sounds.map(\.averageBandwidth).max() ?? 0)))")
        }
        var codecs = [variant.codec]
        for codec in sounds.compactMap(\.codec) where !codecs.contains(codec) { codecs.append(codec) }
        attributes.append("CODECS=\"\(codecs.joined(separator: ","))\"")
        attributes += resolution(variant)
        attributes.append("FRAME-RATE=\(MultivariantPlaylist.rate(frameRate))")
        if !sounds.isEmpty { attributes.append("AUDIO=\"sound\"") }
        if !subtitles.isEmpty { attributes.append("SUBTITLES=\"subtitles\"") }
        return ["#EXT-X-STREAM-INF:" + attributes.joined(separator: ","), variant.file]
    }

    private func resolution(_ variant: Variant) -> [String] {
        variant.size.map { ["RESOLUTION=\($0.width)x\($0.height)"] } ?? []
    }

    /// Text within quotation marks, where these and ends of lines cannot stand.
    private static func quotable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\"" || $0.value < 0x20 ? " " : $0 }))
    }

    /// A rate with three digits after the point.
    private static func rate(_ value: Double) -> String {
        let thousandths = Int((value * 1000).rounded())
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
