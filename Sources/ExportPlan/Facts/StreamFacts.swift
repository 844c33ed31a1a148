/// One stream of a media file as the file describes it: what `spool probe` lists, and what a draft chooses from. It says
/// nothing about the stream's packets.
package struct StreamFacts: Hashable, Sendable, Codable {
    package enum Kind: String, Hashable, Sendable, Codable {
        case video, audio, subtitle, data, attachment
        /// A picture that the file has as its cover.
        case cover
    }

    /// The number in the file, from 0, by which a draft chooses it.
    package var index: Int
    package var kind: Kind
    /// libavcodec's name.
    package var codec: String
    /// As the file has it: usually a code of ISO 639-2 in three letters.
    package var language: String?
    package var title: String?
    /// The number of channels, for sound.
    package var channels: Int?
    /// libavutil's name of the layout, for sound.
    package var channelLayout: String?
    /// The stored pixels, for pictures.
    package var size: FrameSize?
    /// libavformat's names of what the stream is for, such as `default`, `dub` or `comment`, in alphabetical order.
    package var dispositions: [String]
    /// All tags of the stream; language and title are among them.
    package var tags: [String: String]

    package init(index: Int, kind: Kind, codec: String) {
        self.index = index
        self.kind = kind
        self.codec = codec
        dispositions = []
        tags = [:]
    }

    /// The stream in a few words for a message: `1 (deu, stereo)`.
    package var text: String {
        let details = [language, title.map { "'\($0)'" }, channelLayout, size?.description].compactMap { $0 }
        return details.isEmpty ? "\(index)" : "\(index) (\(details.joined(separator: ", ")))"
    }
}

/// The streams of a file that are played instead of those that a player would choose.
package struct ChosenStreams: Hashable, Sendable, Codable {
    /// The picture stream's number in the file; nil means the usual one.
    package var video: Int?
    /// The sound stream's number in the file; nil means the usual one.
    package var audio: Int?

    package init(video: Int? = nil, audio: Int? = nil) {
        self.video = video
        self.audio = audio
    }

    package var isEmpty: Bool { video == nil && audio == nil }

    /// The end of a source's name: empty, or as in `:v2a3`.
    fileprivate var suffix: String {
        isEmpty ? "" : ":" + (video.map { "v\($0)" } ?? "") + (audio.map { "a\($0)" } ?? "")
    }

    /// Reads what `suffix` wrote, without the colon.
    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: "a", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, first.isEmpty || first.first == "v" else { return nil }
        video = first.isEmpty ? nil : Int(first.dropFirst())
        audio = parts.count == 2 ? Int(parts[1]) : nil
        guard !isEmpty, ChosenStreams(video: video, audio: audio).suffix.dropFirst() == text else { return nil }
    }
}

extension SourceFacts {
    /// The source's name in plans: its content hash, with the chosen streams where they are not the usual ones. One file
    /// may play in a film with several choices, and has a name for each.
    package var name: String { contentHash + (chosen?.suffix ?? "") }

    /// The name by which its picture is known, which does not depend on the sound that is chosen.
    package var pictureName: String { contentHash + ChosenStreams(video: chosen?.video).suffix }

    /// The name by which its sound is known, which does not depend on the picture that is chosen.
    package var soundName: String { contentHash + ChosenStreams(audio: chosen?.audio).suffix }

    /// The facts with these streams as those that play.
    /// - Parameter streams: numbers in the file. A stream that plays anyway counts as not chosen.
    /// - Returns: nil when the file has no such stream that can be played.
    package func choosing(_ streams: ChosenStreams) -> SourceFacts? {
        var result = self
        var chosen = ChosenStreams()
        if let wanted = streams.video, wanted != video?.streamIndex {
            guard let found = otherVideo?.first(where: { $0.streamIndex == wanted }) else { return nil }
            result.video = found
            chosen.video = wanted
        }
        if let wanted = streams.audio, wanted != audio?.streamIndex {
            guard let found = otherAudio?.first(where: { $0.streamIndex == wanted }) else { return nil }
            result.audio = found
            chosen.audio = wanted
        }
        if !chosen.isEmpty { result.chosen = chosen }
        return result
    }

    /// The facts with the sound that the same file has with another choice.
    package func with(soundOf other: SourceFacts?) -> SourceFacts {
        guard let other, other.contentHash == contentHash else { return self }
        var result = self
        result.audio = other.audio
        let both = ChosenStreams(video: chosen?.video, audio: other.chosen?.audio)
        result.chosen = both.isEmpty ? nil : both
        return result
    }

    /// The facts that a job needs: those of the streams that play.
    package var played: SourceFacts {
        guard streams != nil || tags != nil || otherVideo != nil || otherAudio != nil else { return self }
        var result = self
        (result.streams, result.tags, result.otherVideo, result.otherAudio) = (nil, nil, nil, nil)
        return result
    }
}

extension [String: SourceReference] {
    /// The reference for a name in a plan, with the facts that a job needs.
    /// - Precondition: the keys are content hashes.
    package func reference(named name: String) -> SourceReference? {
        let parts = name.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else {
            return self[name].map { SourceReference(facts: $0.facts.played, path: $0.path) }
        }
        guard let reference = self[String(parts[0])], let chosen = ChosenStreams(parts[1]),
            let facts = reference.facts.choosing(chosen)
        else { return nil }
        return SourceReference(facts: facts.played, path: reference.path)
    }
}

extension Sequence<SourceFacts> {
    /// The facts by their names in a plan.
    package var byName: [String: SourceFacts] {
        var found: [String: SourceFacts] = [:]
        for facts in self {
            guard let chosen = facts.chosen else {
                found[facts.contentHash] = facts
                continue
            }
            found[facts.name] = facts
            if chosen.video != nil { found[facts.pictureName] = facts }
            if chosen.audio != nil { found[facts.soundName] = facts }
        }
        return found
    }
}
