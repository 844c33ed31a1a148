import CAss
import Vocabulary
import Glibc

/// The clips of an event with emoji: the tags `\clip` and `\iclip`, and the strip in which a scrolling event is seen.
/// The tags are removed from the event. Before the event, libass draws a sheet as large as the frame that is clipped by
/// them, and everything between two further signs is multiplied by that sheet (`CaptionBitmap`).
struct EventClip {
    /// The colours of signs, below their common red.
    enum Sign: Int {
        /// What follows is clipped by the sheets that come first: those of tags, of scrolling, or of both.
        case beginsWithTags = 1
        case beginsWithScroll
        case beginsWithBoth
        case tags
        case scroll
        case ends

        /// The clipping sheets of a sign that begins a clip.
        var sheets: [Sign]? {
            switch self {
            case .beginsWithTags: [.tags]
            case .beginsWithScroll: [.scroll]
            case .beginsWithBoth: [.tags, .scroll]
            case .tags, .scroll, .ends: nil
            }
        }
    }

    /// The effect of an event that scrolls.
    struct Scroll {
        /// The first and the last line of the strip in which the event is seen, in pixels of the script; nil where it
        /// scrolls sideways.
        var strip: (top: Int, bottom: Int)?

        /// - Parameter effect: "Banner;...", "Scroll up;y0;y1;delay" or "Scroll down;..."; libass ignores all other
        ///   effects.
        init?(_ effect: String) {
            if effect.hasPrefix("Banner;") { return }
            guard effect.hasPrefix("Scroll up;") || effect.hasPrefix("Scroll down;") else { return nil }
            let numbers = effect.split(separator: ";", omittingEmptySubsequences: false).dropFirst().map { Int($0.trimmed) ?? 0 }
            guard numbers.count >= 3 else { return nil }
            strip = (min(numbers[0], numbers[1]), max(numbers[0], numbers[1]))
        }
    }

    /// The event's text without its clip tags.
    let text: String
    private let clips: String
    private let strip: (top: Int, bottom: Int)?
    private let width: Int
    private let height: Int

    /// - Returns: nil where the event has no clip.
    init?(_ text: String, _ scroll: Scroll?, width: Int, height: Int) {
        var kept = ""
        var clips = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let block = OverrideTags(rest[open..<close].dropFirst())
            kept += rest[..<open] + "{\(block.withoutClips)}"
            clips += block.clips
            rest = rest[close...].dropFirst()
        }
        strip = scroll?.strip
        guard !clips.isEmpty || strip != nil else { return nil }
        self.text = clips.isEmpty ? text : kept + rest
        self.clips = clips
        self.width = width
        self.height = height
    }

    /// Inserts the sheets and signs before and after an event in libass's drawing order. They take no part in collision
    /// handling.
    func add(to track: UnsafeMutablePointer<ASS_Track>, around index: Int, red: Int) {
        var texts: [(sign: Sign, tags: String)] = []
        if !clips.isEmpty { texts.append((.tags, clips)) }
        if let strip { texts.append((.scroll, "\\clip(0,\(strip.top),\(width),\(strip.bottom))")) }
        texts.insert((texts.count == 2 ? .beginsWithBoth : clips.isEmpty ? .beginsWithScroll : .beginsWithTags, ""), at: 0)
        let order = track.pointee.events[index].ReadOrder
        // `spacing` leaves numbers between this event and its neighbours for the sheets and signs.
        for (place, sheet) in texts.enumerated() {
            add(sheet, to: track, beside: index, order: order - Int32(texts.count - place), red)
        }
        add((.ends, ""), to: track, beside: index, order: order + 1, red)
    }

    /// The distance between the numbers of events in libass's drawing order.
    static let spacing: Int32 = 5

    private func add(
        _ sheet: (sign: Sign, tags: String), to track: UnsafeMutablePointer<ASS_Track>, beside index: Int, order: Int32,
        _ red: Int
    ) {
        let new = Int(ass_alloc_event(track))
        guard new >= 0 else { return }
        let color = EmojiMarkup.text(ofColor: red << 16 | sheet.sign.rawValue)
        let tags =
            "{\\an7\\pos(0,0)\\1c\(color)\\1a&H00&\\3a&HFF&\\4a&HFF&\\bord0\\shad0\\be0\\blur0\\frz0\\fscx100\\fscy100\(sheet.tags)\\p1}"
        let event = track.pointee.events + index
        let added = track.pointee.events + new
        added.pointee.Start = event.pointee.Start
        added.pointee.Duration = event.pointee.Duration
        added.pointee.Layer = event.pointee.Layer
        added.pointee.Style = event.pointee.Style
        added.pointee.ReadOrder = order
        added.pointee.Effect = strdup("")
        added.pointee.Name = strdup("")
        added.pointee.Text = strdup("\(tags)m 0 0 l \(width) 0 \(width) \(height) 0 \(height)")
    }
}
