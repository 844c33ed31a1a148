import ExportPlan
import Vocabulary

/// Cues as an Advanced SubStation Alpha script: one style, measured in pixels of the draft's frame, and an event for
/// each cue.
struct CaptionScript {
    /// An event as libass takes it, with times in milliseconds; a script's text only has hundredths of a second.
    struct Event {
        var start: Int64
        var duration: Int64
        /// ReadOrder, Layer, Style, Name, margins, Effect and Text.
        var fields: String
    }

    /// The text above the events.
    let header: String
    let events: [Event]

    init(_ cues: [Cue], _ look: CaptionContent.Look, _ font: ChosenFont, size: FrameSize) {
        let column = look.alignment == .left ? 1 : look.alignment == .right ? 3 : 2
        let row = look.verticalAlignment == .top ? 6 : look.verticalAlignment == .middle ? 3 : 0
        // In VSFilter's scripts a font size is the height of a line; in drafts it is the height of an em.
        let lineHeight = font.size * font.lineHeight
        let outline = (look.stroke?.width ?? 0) / 2
        let black = RGBAColor.black
        let style: [String] = [
            "Captions", font.family, "\(lineHeight)", CaptionColor.styled(look.color), CaptionColor.styled(look.color),
            CaptionColor.styled(look.stroke?.color ?? black), CaptionColor.styled(look.backgroundBox?.color ?? black),
            font.weight == 400 ? "0" : "\(font.weight)", font.isItalic ? "1" : "0", "0", "0", "100", "100", "0", "0",
            // Border style 4 is libass's own: one box behind all lines that extends as far as the shadow would be
            // offset.
            look.backgroundBox == nil ? "1" : "4", "\(outline)", "\(look.backgroundBox?.padding ?? 0)", "\(row + column)",
            "\(look.marginX)", "\(look.marginX)", "\(look.marginY)",
            // The encoding -1 makes libass derive the direction of lines from their text.
            "-1",
        ]
        header = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: \(size.width)
            PlayResY: \(size.height)
            ScaledBorderAndShadow: yes
            WrapStyle: 0
            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
            StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
            Style: \(style.joined(separator: ","))
            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

            """
        events = cues.enumerated().map { index, cue in
            let place = EventPlace(cue, lineHeight: lineHeight, size: size)
            let margins = place.margins.map(String.init).joined(separator: ",")
            return Event(
                start: cue.start, duration: cue.end - cue.start,
                fields: "\(index),0,Captions,,\(margins),,\(place.tags)\(cue.text)")
        }
    }
}

/// A cue's position in the terms of a script.
private struct EventPlace {
    /// The left, right and vertical margins; 0 takes the style's.
    var margins = [0, 0, 0]
    var tags = ""

    init(_ cue: Cue, lineHeight: Double, size: FrameSize) {
        if let alignment = cue.alignment { tags = "{\\an\(alignment)}" }
        guard let placement = cue.placement else { return }
        let (width, height) = (Double(size.width), Double(size.height))
        let extent = placement.extent
        margins[0] = max(1, Int((extent.left / 100 * width).rounded()))
        margins[1] = max(1, Int((width - extent.right / 100 * width).rounded()))
        let column = placement.align == .start ? 1 : placement.align == .end ? 3 : 2
        var row = 0
        switch placement.line {
        case nil: break
        case .number(let number) where number < 0:
            margins[2] = max(1, Int((Double(-number - 1) * lineHeight).rounded()))
        case .number(let number):
            row = 6
            margins[2] = max(1, Int((Double(number) * lineHeight).rounded()))
        case .percent(let percent):
            let edge = percent / 100 * height
            switch placement.lineAlign {
            case .start:
                row = 6
                margins[2] = max(1, Int(edge.rounded()))
            case .end:
                margins[2] = max(1, Int((height - edge).rounded()))
            case .center:
                row = 3
                let x = [extent.left, (extent.left + extent.right) / 2, extent.right][column - 1] / 100 * width
                tags = "\\pos(\(Int(x.rounded())),\(Int(edge.rounded())))"
            }
        }
        tags = "{\\an\(row + column)\(tags.hasPrefix("{") ? "" : tags)}"
    }
}
