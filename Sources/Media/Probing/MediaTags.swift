import CFFmpeg

/// Reads the tags of a file or of a stream. Files are untrusted, so the number of tags and their lengths are limited;
/// what is beyond the limits is left out.
enum MediaTags {
    /// The most tags of a file, and of each stream.
    private static let count = 64
    /// The most bytes of a tag's name.
    private static let nameBytes = 100
    /// The most bytes of a tag's value.
    private static let valueBytes = 1000
    /// The most bytes of all tags of a file or of a stream together.
    private static let bytes = 8_192

    /// - Returns: the tags by name; nil where there are none.
    static func read(_ dictionary: OpaquePointer?) -> [String: String]? {
        var tags: [String: String] = [:]
        var size = 0
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while tags.count < count, let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
            entry = next
            guard let name = text(next.pointee.key, nameBytes), !name.isEmpty, let value = text(next.pointee.value, valueBytes)
            else { continue }
            size += name.utf8.count + value.utf8.count
            guard size <= bytes else { break }
            tags[name] = value
        }
        return tags.isEmpty ? nil : tags
    }

    /// The text, if it is UTF-8 without control characters other than tabs and line ends, and not too long.
    private static func text(_ pointer: UnsafePointer<CChar>?, _ limit: Int) -> String? {
        guard let pointer, let text = String(validatingCString: pointer), text.utf8.count <= limit else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.value >= 32 && $0.value != 127 || $0.value == 9 || $0.value == 10 || $0.value == 13
        }
        return isPlain ? text : nil
    }
}
