import CAss

/// What of an event has to be known beside libass: when it is seen, the fonts and characters that it is written with, and
/// whether it gives way to others.
struct ScriptEvent {
    /// Milliseconds.
    var start: Int64
    var end: Int64
    /// By name.
    var fonts: Set<String>
    var characters: Set<Unicode.Scalar>
    /// Whether it stands where its tags put it, whatever else is seen.
    var isPlaced: Bool
    /// Whether it may grow or shrink while it is seen.
    var changesSize: Bool

    /// Every event of a script, in its order.
    static func all(in track: UnsafeMutablePointer<ASS_Track>) -> [ScriptEvent] {
        let styles = (0..<Int(track.pointee.n_styles)).map { index in
            let style = track.pointee.styles[index]
            return (name: text(style.Name), font: text(style.FontName))
        }
        return (0..<Int(track.pointee.n_events)).map { index in
            ScriptEvent(track.pointee.events[index], styles)
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

    private init(_ event: ASS_Event, _ styles: [(name: String, font: String)]) {
        start = event.Start
        end = event.Start + event.Duration
        fonts = []
        characters = []
        let effect = ScriptEvent.text(event.Effect)
        isPlaced = effect.hasPrefix("Banner;") || effect.hasPrefix("Scroll ")
        changesSize = false
        let text = ScriptEvent.text(event.Text)
        let own = styles.indices.contains(Int(event.Style)) ? styles[Int(event.Style)].font : nil
        var font = own
        var isDrawing = false
        var rest = text[...]
        while let first = rest.first {
            if first == "{", let end = rest.firstIndex(of: "}") {
                let tags = rest[..<end].dropFirst().split(separator: "\\", omittingEmptySubsequences: false).map { $0.trimmed }
                for tag in tags {
                    if tag.hasPrefix("fn") {
                        let name = tag.dropFirst(2).prefix { $0 != ")" }.trimmed
                        font = name.isEmpty || name == "0" ? own : String(name)
                    } else if tag.hasPrefix("r"), let style = styles.last(where: { $0.name == tag.dropFirst() }) {
                        font = style.font
                    } else if tag == "r" {
                        font = own
                    } else if tag.hasPrefix("p"), let scale = Int(tag.dropFirst()) {
                        isDrawing = scale > 0
                    } else if tag.hasPrefix("pos(") || tag.hasPrefix("move(") {
                        isPlaced = isPlaced || ScriptEvent.isPlace(tag)
                    } else if tag.hasPrefix("t(") {
                        changesSize = true
                    }
                }
                rest = rest[end...].dropFirst()
                continue
            }
            rest.removeFirst()
            if isDrawing { continue }
            if first == "\\", let next = rest.first, "NnhNBSP{}".contains(next) {
                if "Nnh".contains(next) { rest.removeFirst() }
                continue
            }
            // What is drawn of it decides which font is needed: a style that nothing is written in needs none.
            let drawn = first.unicodeScalars.filter { !ScriptEvent.isUnseen($0) }
            characters.formUnion(drawn)
            if !drawn.isEmpty, let font { fonts.insert(font.hasPrefix("@") ? String(font.dropFirst()) : font) }
        }
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || [.control, .format].contains(properties.generalCategory)
    }

    /// `pos(x,y)` or `move(...)`, all in plain numbers: only then libass surely takes it for a place.
    private static func isPlace(_ tag: Substring) -> Bool {
        guard tag.last == ")", let open = tag.firstIndex(of: "(") else { return false }
        let numbers = tag[open...].dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let counts = tag.hasPrefix("pos") ? [2] : [4, 6]
        return counts.contains(numbers.count) && numbers.allSatisfy { Double($0.trimmed) != nil }
    }
}
