/// Which characters are pictures in colour, as texts draw them (Unicode Technical Standard 51, section 2): libass can draw none of those.
extension Character {
    var isColoredEmoji: Bool {
        guard let first = unicodeScalars.first, !unicodeScalars.contains("\u{FE0E}") else { return false }
        if first.properties.isEmojiPresentation { return true }
        // A letter or sign that something behind it turns into a picture: the variation selector, a keycap, a colour of skin.
        return first.properties.isEmoji
            && unicodeScalars.dropFirst().contains { $0 == "\u{FE0F}" || $0 == "\u{20E3}" || $0.properties.isEmojiModifier }
    }
}
