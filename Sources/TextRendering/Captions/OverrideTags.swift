import Vocabulary

/// The tags of one override block of a script, such as `{\an8\t(0,500,\frz30)}`, as libass reads them.
struct OverrideTags {
    /// The tags, each from its backslash to the next backslash outside of parentheses. For libass the first closing
    /// parenthesis ends all that are open. Text before the first tag is a comment.
    var tags: [Substring]

    /// - Parameters:
    ///   - text: the text between the braces, or of the tags that an animation animates.
    ///   - isAnimated: whether it is that of an animation. An animation inside of it is a tag without tags, and
    ///     animates all tags after it.
    init(_ text: Substring, isAnimated: Bool = false) {
        tags = []
        var start: Substring.Index?
        var isInside = false
        for index in text.indices {
            switch text[index] {
            case "(":
                let opensAnimation = isAnimated && start.map { OverrideTags.body(of: text[$0...index]) == "t(" } ?? false
                isInside = !opensAnimation
            case ")": isInside = false
            case "\\" where !isInside:
                if let start { tags.append(text[start..<index]) }
                start = index
            default: break
            }
        }
        if let start { tags.append(text[start...]) }
    }

    /// The tag's name and the text after it, without the backslash and spaces.
    static func body(of tag: Substring) -> Substring { tag.dropFirst().trimmed }

    /// The value of a tag such as "\fs40" or "\fs(40)"; empty where it has none.
    /// - Parameters:
    ///   - body: the tag without its backslash.
    ///   - length: the length of the tag's name.
    static func value(of body: Substring, after length: Int) -> Substring {
        let value = body.dropFirst(length)
        guard let open = value.firstIndex(of: "(") else { return value }
        let inside = value[open...].dropFirst().prefix { $0 != "," && $0 != ")" }.trimmed
        return inside.isEmpty ? value[..<open] : inside
    }

    private static func isClip(_ tag: Substring) -> Bool { body(of: tag).hasPrefix("clip") || body(of: tag).hasPrefix("iclip") }

    /// Splits an animation (`\t`) into its times and the tags that it animates; nil for other tags.
    static func animation(_ tag: Substring) -> (head: Substring, tags: OverrideTags)? {
        guard body(of: tag).hasPrefix("t(") else { return nil }
        guard let first = tag.dropFirst().firstIndex(of: "\\") else { return (tag, OverrideTags("")) }
        return (tag[..<first], OverrideTags(tag[first...].prefix { $0 != ")" }, isAnimated: true))
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
            guard inner.tags.contains(where: OverrideTags.isClip) else { return nil }
            return "\(head)\(inner.tags.filter { OverrideTags.isClip($0) || OverrideTags.animation($0) != nil }.joined()))"
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
