import DraftModel
import ExportPlan

/// A chosen stream that a file does not have.
struct MissingStream: Error, Hashable {
    /// The field that chooses it: `videoStream` or `audioStream`.
    var field: String
    /// What is wrong and what there is, as words that follow the source's name.
    var message: String
}

extension StreamChoice {
    /// The key of the facts with this choice. No location has a NUL.
    func key(_ url: String) -> String { "\(url)\u{0}\(video?.text ?? "")\u{0}\(audio?.text ?? "")" }

    /// The facts of a file with the chosen streams.
    func chosen(of facts: SourceFacts) -> Result<SourceFacts, MissingStream> {
        var numbers = ChosenStreams()
        if let video {
            let playable = (facts.otherVideo ?? []).map(\.streamIndex) + [facts.video?.streamIndex].compactMap(\.self)
            guard let number = facts.number(of: video, .video, among: playable) else {
                return .failure(facts.missing(video, .video, "videoStream", among: playable))
            }
            numbers.video = number
        }
        if let audio {
            let playable = (facts.otherAudio ?? []).map(\.streamIndex) + [facts.audio?.streamIndex].compactMap(\.self)
            guard let number = facts.number(of: audio, .audio, among: playable) else {
                return .failure(facts.missing(audio, .audio, "audioStream", among: playable))
            }
            numbers.audio = number
        }
        // The numbers are those of streams that can be played.
        return .success(facts.choosing(numbers) ?? facts)
    }
}

extension SourceFacts {
    /// The streams of a kind that can be played, in the order of the file.
    private func streams(_ kind: StreamFacts.Kind, among playable: [Int]) -> [StreamFacts] {
        (streams ?? []).filter { $0.kind == kind && playable.contains($0.index) }
    }

    fileprivate func number(of selector: StreamSelector, _ kind: StreamFacts.Kind, among playable: [Int]) -> Int? {
        switch selector {
        case .index(let index): playable.contains(index) ? index : nil
        case .language(let language):
            streams(kind, among: playable).first { $0.language?.lowercased() == language.lowercased() }?.index
        }
    }

    fileprivate func missing(
        _ selector: StreamSelector, _ kind: StreamFacts.Kind, _ field: String, among playable: [Int]
    ) -> MissingStream {
        let what = kind == .video ? "picture" : "sound"
        let wanted: String
        switch selector {
        case .index(let index): wanted = "has no \(what) stream \(index)"
        case .language(let language): wanted = "has no \(what) stream in the language '\(language)'"
        }
        let known = streams(kind, among: playable)
        guard !known.isEmpty else { return MissingStream(field: field, message: "\(wanted), and no other; leave it out") }
        let list = known.prefix(8).map(\.text).joined(separator: ", ") + (known.count > 8 ? ", ..." : "")
        return MissingStream(field: field, message: "\(wanted); it has \(list)")
    }
}

extension [String: SourceFacts] {
    /// The facts of a clip's source; nil for a clip without a file, and if the source could not be read.
    subscript(clip: MainTrackClip) -> SourceFacts? { self[clip.url, clip.streams] }

    /// The facts of an audio clip's source; nil if it could not be read.
    subscript(clip: AudioClip) -> SourceFacts? { self[clip.url, clip.streams] }

    /// The facts of a layer's source; nil if it has no file, and if it could not be read.
    subscript(source: LayerSource) -> SourceFacts? { self[source.url, source.streams] }

    private subscript(url: String?, streams: StreamChoice?) -> SourceFacts? {
        url.flatMap { self[streams?.key($0) ?? $0] }
    }
}
