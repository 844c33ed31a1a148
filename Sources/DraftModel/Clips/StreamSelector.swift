/// The choice of one of a file's picture or sound streams.
package enum StreamSelector: Hashable, Sendable, Encodable {
    /// The stream's number in the file, from 0, as `spool probe` shows it.
    case index(Int)
    /// The first stream of its kind in this language, as the file has it: usually a code of ISO 639-2.
    case language(String)

    /// The greatest stream number that a draft can name.
    static let range = 0...1023
    /// The most bytes of a language.
    static let languageBytes = 35

    /// The text form.
    package var text: String {
        switch self {
        case .index(let index): "\(index)"
        case .language(let language): language
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .index(let index): try container.encode(index)
        case .language(let language): try container.encode(language)
        }
    }
}

/// The streams that one place of a draft chooses.
package struct StreamChoice: Hashable, Sendable {
    package var video: StreamSelector?
    package var audio: StreamSelector?

    /// - Returns: nil where nothing is chosen.
    package init?(video: StreamSelector? = nil, audio: StreamSelector? = nil) {
        guard video != nil || audio != nil else { return nil }
        self.video = video
        self.audio = audio
    }
}

extension MainTrackClip {
    package var streams: StreamChoice? { StreamChoice(video: videoStream, audio: audioStream) }
}

extension AudioClip {
    package var streams: StreamChoice? { StreamChoice(audio: audioStream) }
}

extension LayerSource {
    package var streams: StreamChoice? { StreamChoice(video: videoStream, audio: audioStream) }
}

extension ObjectReader {
    /// Reads a stream's number or a language.
    mutating func streamSelector(_ name: String) -> StreamSelector? {
        guard let text = value(name)?.text else { return integer(name, in: StreamSelector.range).map { .index($0) } }
        // A merge field makes a number a text.
        guard let index = Int(text) else {
            guard let language = string(name, atMost: StreamSelector.languageBytes) else { return nil }
            if language.isEmpty { report(name, .invalidValue, "is empty; give a stream's number or a language") }
            return language.isEmpty ? nil : .language(language)
        }
        if !StreamSelector.range.contains(index) {
            report(name, .outOfRange, "must be 0...\(StreamSelector.range.upperBound), not \(index)")
            return nil
        }
        return .index(index)
    }
}
