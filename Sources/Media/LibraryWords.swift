/// What a library says of a file, as part of one of our messages: one line, without what it meant for its own log.
enum LibraryWords {
    /// - Returns: nil where it says nothing.
    static func clean(_ text: String) -> String? {
        var words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // What a decoder does about it is said by our message.
        for ending in [", quitting", ", skipping", ", aborting"] where words.hasSuffix(ending) { words.removeLast(ending.count) }
        while let last = words.last, ".,:; ".contains(last) { words.removeLast() }
        while let first = words.first, ",;: ".contains(first) { words.removeFirst() }
        return words.isEmpty ? nil : words
    }
}
