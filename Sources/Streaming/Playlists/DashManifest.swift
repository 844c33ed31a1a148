/// The manifest of a stream for MPEG-DASH (ISO/IEC 23009-1, on-demand profile): its tracks, each a file whose index says
/// where its segments are (`StreamFile`).
package struct DashManifest: Sendable {
    package struct Track: Sendable {
        /// The file of the track.
        package var file: String
        package var content: StreamFile
        /// A tag of RFC 5646; nil where it is not known.
        package var language: String?
        /// The name that players show; nil where nobody has named it.
        package var label: String?

        package init(file: String, content: StreamFile, language: String? = nil, label: String? = nil) {
            self.file = file
            self.content = content
            self.language = language
            self.label = label
        }
    }

    package struct Subtitles: Sendable {
        /// A file in WebVTT.
        package var file: String
        package var language: String

        package init(file: String, language: String) {
            self.file = file
            self.language = language
        }
    }

    /// The same pictures in several sizes.
    package var pictures: [Track]
    package var sounds: [Track]
    package var subtitles: [Subtitles]
    /// Pictures a second, as the numerator and the denominator.
    package var frameRate: (Int, Int)
    /// The duration of the film in seconds.
    package var duration: Double
    /// The title of the film; nil where it has none.
    package var title: String?

    package init(
        pictures: [Track], sounds: [Track], subtitles: [Subtitles], frameRate: (Int, Int), duration: Double
    ) {
        self.pictures = pictures
        self.sounds = sounds
        self.subtitles = subtitles
        self.frameRate = frameRate
        self.duration = duration
    }

    package var text: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" "#
                + #"mediaPresentationDuration="PT\#(duration)S" minBufferTime="PT\#(longestSegment)S">"#,
        ]
        if let title {
            lines.append("  <ProgramInformation><Title>\(DashManifest.escaped(title))</Title></ProgramInformation>")
        }
        lines.append("  <Period>")
        lines += set(#"contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1""#) {
            pictures.enumerated().flatMap { number, track in picture(track, number) }
        }
        for (number, sound) in sounds.enumerated() { lines += self.sound(sound, number) }
        for (number, track) in subtitles.enumerated() {
            lines += set(#"contentType="text" mimeType="text/vtt" lang="\#(DashManifest.escaped(track.language))""#) {
                [
                    #"<Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>"#,
                    #"<Representation id="subtitles-\#(number)" bandwidth="256">"#,
                    "  <BaseURL>\(DashManifest.escaped(track.file))</BaseURL>", "</Representation>",
                ]
            }
        }
        return (lines + ["  </Period>", "</MPD>"]).joined(separator: "\n") + "\n"
    }

    /// In seconds; at least what segments usually have.
    private var longestSegment: Double {
        max(StreamFile.segmentLength, (pictures + sounds).flatMap(\.content.segments).map(\.duration).max() ?? 0)
    }

    private func set(_ attributes: String, _ content: () -> [String]) -> [String] {
        ["    <AdaptationSet \(attributes)>"] + content().map { "      " + $0 } + ["    </AdaptationSet>"]
    }

    private func picture(_ track: Track, _ number: Int) -> [String] {
        let size = if case .video(let width, let height) = track.content.first.kind { (width, height) } else { (0, 0) }
        let rate = frameRate.1 == 1 ? "\(frameRate.0)" : "\(frameRate.0)/\(frameRate.1)"
        return representation(
            track, #"id="pictures-\#(number)" width="\#(size.0)" height="\#(size.1)" frameRate="\#(rate)" sar="1:1""#)
    }

    private func sound(_ track: Track, _ number: Int) -> [String] {
        let language = track.language.map { #" lang="\#(DashManifest.escaped($0))""# } ?? ""
        let attributes =
            #"contentType="audio" mimeType="audio/mp4"\#(language) subsegmentAlignment="true" subsegmentStartsWithSAP="1""#
        return set(attributes) {
            let rate = #"audioSamplingRate="\#(track.content.first.timescale)""#
            let label = track.label.map { ["<Label>\(DashManifest.escaped($0))</Label>"] } ?? []
            let role = #"<Role schemeIdUri="urn:mpeg:dash:role:2011" value="\#(number == 0 ? "main" : "alternate")"/>"#
            return label + [role] + representation(track, #"id="sound-\#(number)" \#(rate)"#)
        }
    }

    private func representation(_ track: Track, _ attributes: String) -> [String] {
        let content = track.content
        let index = content.indexRange
        return [
            #"<Representation \#(attributes) codecs="\#(content.codec)" bandwidth="\#(max(1, content.segments.peakBandwidth))">"#,
            "  <BaseURL>\(DashManifest.escaped(track.file))</BaseURL>",
            #"  <SegmentBase indexRange="\#(index.lowerBound)-\#(index.upperBound - 1)" timescale="\#(content.first.timescale)">"#,
            #"    <Initialization range="0-\#(index.lowerBound - 1)"/>"#,
            "  </SegmentBase>", "</Representation>",
        ]
    }

    /// A text as XML 1.0 has it, in which most control characters have no place.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;".unicodeScalars
            case "<": result += "&lt;".unicodeScalars
            case ">": result += "&gt;".unicodeScalars
            case "\"": result += "&quot;".unicodeScalars
            case _ where scalar.value < 0x20 || [0xFFFE, 0xFFFF].contains(scalar.value): result.append(" ")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
