/// The playlist of a stream in HLS that names its tracks (RFC 8216, section 4.3.4): the pictures, and their sounds.
package struct MultivariantPlaylist: Sendable {
    /// A soundtrack, of which a player chooses one.
    package struct Sound: Hashable, Sendable {
        /// The soundtrack's playlist.
        package var file: String
        /// The name that players show.
        package var name: String
        /// A code of RFC 5646 or ISO 639; nil where it is not known.
        package var language: String?

        package init(file: String, name: String, language: String?) {
            self.file = file
            self.name = name
            self.language = language
        }
    }

    /// The playlist of the pictures.
    package var pictures: String
    /// The first one is that which players choose.
    package var sounds: [Sound]
    /// The names of the codecs (`CodecName`).
    package var codecs: [String]
    /// In pixels; nil where it is not known.
    package var size: (width: Int, height: Int)?
    /// Pictures a second.
    package var frameRate: Double
    /// Bits a second, the sound included. A stream with one variant is played whatever this says.
    package var bandwidth: Int

    package init(
        pictures: String, sounds: [Sound], codecs: [String], size: (width: Int, height: Int)?, frameRate: Double, bandwidth: Int
    ) {
        self.pictures = pictures
        self.sounds = sounds
        self.codecs = codecs
        self.size = size
        self.frameRate = frameRate
        self.bandwidth = bandwidth
    }

    package var text: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
        for (number, sound) in sounds.enumerated() {
            var attributes = ["TYPE=AUDIO", "GROUP-ID=\"sound\"", "NAME=\"\(MultivariantPlaylist.quotable(sound.name))\""]
            if let language = sound.language { attributes.append("LANGUAGE=\"\(MultivariantPlaylist.quotable(language))\"") }
            attributes += ["DEFAULT=\(number == 0 ? "YES" : "NO")", "AUTOSELECT=YES", "URI=\"\(sound.file)\""]
            lines.append("#EXT-X-MEDIA:" + attributes.joined(separator: ","))
        }
        var attributes = ["BANDWIDTH=\(max(1, bandwidth))", "CODECS=\"\(codecs.joined(separator: ","))\""]
        if let size { attributes.append("RESOLUTION=\(size.width)x\(size.height)") }
        attributes.append("FRAME-RATE=\(MultivariantPlaylist.rate(frameRate))")
        if !sounds.isEmpty { attributes.append("AUDIO=\"sound\"") }
        lines += ["#EXT-X-STREAM-INF:" + attributes.joined(separator: ","), pictures]
        return lines.joined(separator: "\n") + "\n"
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
