import CAss

/// The properties of an event that are needed beside libass: when it is seen, its fonts and characters, and whether it
/// takes part in collision handling.
struct ScriptEvent {
    /// The start in milliseconds; `end` has the same unit.
    var start: Int64
    var end: Int64
    /// The names of font families.
    var fonts: Set<String>
    var characters: Set<Unicode.Scalar>
    /// Whether its tags fix its position, so that other events do not move it.
    var isPlaced: Bool
    /// Whether its size may change while it is seen.
    var changesSize: Bool

    /// All events of a script, in the script's order.
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
        while var first = rest.first {
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
            if first == "\\", let next = rest.first, "Nnh{}".contains(next) {
                rest.removeFirst()
                // A line break or a space that does not break, or a brace that is drawn.
                if "Nnh".contains(next) { continue }
                first = next
            }
            // A font counts only if a visible character is drawn in it: a style that no text uses needs no font.
            let drawn = first.unicodeScalars.filter { !ScriptEvent.isInvisible($0) }
            characters.formUnion(drawn)
            if !drawn.isEmpty, let font { fonts.insert(font.hasPrefix("@") ? String(font.dropFirst()) : font) }
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
            || [.control, .format].contains(properties.generalCategory)
    }

    /// Whether the tag is `pos(x,y)` or `move(...)` with plain numbers only; libass certainly reads it as a position
    /// only then.
    private static func isPlace(_ tag: Substring) -> Bool {
        guard tag.last == ")", let open = tag.firstIndex(of: "(") else { return false }
        let numbers = tag[open...].dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let counts = tag.hasPrefix("pos") ? [2] : [4, 6]
        return counts.contains(numbers.count) && numbers.allSatisfy { Double($0.trimmed) != nil }
    }
}
