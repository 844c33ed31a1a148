import CAss
import Glibc

/// An event of a track as the script has it, from which `CaptionEmoji` makes the text with marks in the place of emoji.
struct EmojiEvent {
    /// The event's place among those of the track.
    let index: Int
    private let text: String
    private let style: EmojiMarkup.Style
    private let scroll: EventClip.Scroll?
    /// Whether it animates the size of letters, so that its marks differ from instant to instant.
    let isAnimated: Bool

    /// - Parameter styles: the styles of the track.
    /// - Returns: nil for an event without emoji or without a style.
    init?(_ index: Int, of track: UnsafeMutablePointer<ASS_Track>, _ styles: [EmojiMarkup.Style]) {
        let event = track.pointee.events[index]
        guard let pointer = event.Text, styles.indices.contains(Int(event.Style)) else { return nil }
        let text = String(cString: pointer)
        guard text.contains(where: \.isColoredEmoji) else { return nil }
        self.index = index
        self.text = text
        style = styles[Int(event.Style)]
        scroll = EventClip.Scroll(event.Effect.map { String(cString: $0) } ?? "")
        isAnimated = EmojiMarkup.animatesSize(text)
    }

    /// - Parameter time: milliseconds of the script.
    func isSeen(in track: UnsafeMutablePointer<ASS_Track>, at time: Int64) -> Bool {
        let event = track.pointee.events[index]
        return event.Start <= time && time - event.Start < event.Duration
    }

    /// The text with marks; nil where it has no emoji that can be replaced.
    /// - Parameters:
    ///   - time: milliseconds of the script; nil for the event's start.
    ///   - styles: the styles of the track.
    ///   - limit: the limit on the bytes of the marks.
    ///   - mark: the mark for a place, or nil where there cannot be one.
    func marked(
        in track: UnsafeMutablePointer<ASS_Track>, at time: Int64?, among styles: [EmojiMarkup.Style], limit: Int,
        _ mark: (EmojiMarkup.Place) -> EmojiMarkup.Mark?
    ) -> String? {
        let event = track.pointee.events[index]
        let instant = EventInstant(
            time: Int32(truncatingIfNeeded: (time ?? event.Start) - event.Start),
            duration: Int32(truncatingIfNeeded: event.Duration))
        var markup = EmojiMarkup(style, among: styles, text: text, scrolls: scroll != nil, at: instant)
        return markup.replace(in: text, limit: limit, mark)
    }

    /// Writes a text with marks into the track, without its clips.
    /// - Returns: the clips; nil where it has none.
    @discardableResult
    func write(_ marked: String, to track: UnsafeMutablePointer<ASS_Track>) -> EventClip? {
        let clip = EventClip(marked, scroll, width: Int(track.pointee.PlayResX), height: Int(track.pointee.PlayResY))
        guard let copy = strdup(clip?.text ?? marked) else { return nil }
        free(track.pointee.events[index].Text)
        track.pointee.events[index].Text = copy
        return clip
    }
}
