/// Recognises characters that texts draw as coloured pictures (Unicode Technical Standard 51, section 2). libass cannot
/// draw them.
extension Character {
    var isColoredEmoji: Bool {
        guard let first = unicodeScalars.first, !unicodeScalars.contains("\u{FE0E}") else { return false }
        if first.properties.isEmojiPresentation { return true }
        // A letter or sign becomes a picture when a variation selector, a keycap or a skin tone follows.
        return first.properties.isEmoji
            && unicodeScalars.dropFirst().contains { $0 == "\u{FE0F}" || $0 == "\u{20E3}" || $0.properties.isEmojiModifier }
    }
}
