/// Prepares a library's error text for use inside one of Spool's messages: one line, without the parts that only
/// concern the library's log.
enum LibraryMessage {
    /// - Returns: nil if nothing is left of the text.
    static func clean(_ text: String) -> String? {
        var words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // Spool's message says what happens next, so the decoder's reaction is removed.
        for ending in [", quitting", ", skipping", ", aborting"] where words.hasSuffix(ending) { words.removeLast(ending.count) }
        while let last = words.last, ".,:; ".contains(last) { words.removeLast() }
        while let first = words.first, ",;: ".contains(first) { words.removeFirst() }
        return words.isEmpty ? nil : words
    }
}
