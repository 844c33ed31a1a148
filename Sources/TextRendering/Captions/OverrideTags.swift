import Vocabulary

/// The tags of one override block of a script, such as `{\an8\t(0,500,\frz30)}`, as libass reads them.
struct OverrideTags {
    /// The tags, each from its backslash to the next backslash outside of parentheses. Text before the first tag is a
    /// comment.
    var tags: [Substring]

    /// - Parameter text: the text between the braces.
    init(_ text: Substring) {
        tags = []
        var start: Substring.Index?
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "(": depth += 1
            case ")": depth = max(0, depth - 1)
            case "\\" where depth == 0:
                if let start { tags.append(text[start..<index]) }
                start = index
            default: break
            }
        }
        if let start { tags.append(text[start...]) }
    }

    /// The tag's name and the text after it, without the backslash and spaces.
    static func body(of tag: Substring) -> Substring { tag.dropFirst().trimmed }

    private static func isClip(_ tag: Substring) -> Bool { body(of: tag).hasPrefix("clip") || body(of: tag).hasPrefix("iclip") }

    /// Splits an animation (`\t`) into its times and the tags that it animates; nil for other tags.
    static func animation(_ tag: Substring) -> (head: Substring, tags: OverrideTags)? {
        guard body(of: tag).hasPrefix("t(") else { return nil }
        guard let first = tag.dropFirst().firstIndex(of: "\\") else { return (tag, OverrideTags("")) }
        let inner = tag[first...].trimmed
        return (tag[..<first], OverrideTags(inner.hasSuffix(")") ? inner.dropLast() : inner))
    }

    /// The tags without those that clip. An animation stays even where it becomes empty, because libass does not move
    /// an event that has an animation.
    var withoutClips: String {
        tags.filter { !OverrideTags.isClip($0) }.map { tag in
            guard let (head, inner) = OverrideTags.animation(tag), inner.tags.contains(where: OverrideTags.isClip) else {
                return String(tag)
            }
            return "\(head)\(inner.tags.filter { !OverrideTags.isClip($0) }.joined()))"
        }.joined()
    }

    /// Only the tags that clip.
    var clips: String {
        tags.compactMap { tag in
            if OverrideTags.isClip(tag) { return String(tag) }
            guard let (head, inner) = OverrideTags.animation(tag) else { return nil }
            let clips = inner.tags.filter(OverrideTags.isClip)
            return clips.isEmpty ? nil : "\(head)\(clips.joined()))"
        }.joined()
    }

    /// The tags that have no further effect when they are read twice: all except karaoke syllables, whose times add up,
    /// and the switch to drawings.
    var repeatable: [Substring] {
        tags.filter { tag in
            let body = OverrideTags.body(of: tag)
            return !body.hasPrefix("k") && !body.hasPrefix("K")
                && !(body.hasPrefix("p") && body.dropFirst().first?.isASCIIDigit == true)
        }
    }
}
