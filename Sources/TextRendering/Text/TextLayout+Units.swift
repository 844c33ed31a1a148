import ExportPlan
import Vocabulary

extension TextLayout {
    /// Groups of clusters that move together, in reading order. White space belongs to no group.
    func groups(by unit: TextUnit) -> [[Cluster]] {
        let starts = unitStarts(by: unit)
        var groups: [Int: [Cluster]] = [:]
        for cluster in clusters where !cluster.glyphs.isEmpty {
            guard cluster.start < starts.count, let start = starts[cluster.start] else { continue }
            groups[unit == .line ? cluster.line : start, default: []].append(cluster)
        }
        return groups.sorted { $0.key < $1.key }.map(\.value)
    }

    /// For every byte of the text the first byte of its unit; nil for white space. Lines are handled by the caller.
    private func unitStarts(by unit: TextUnit) -> [Int?] {
        var starts: [Int?] = []
        var word: Int?
        for character in content.text {
            let place = starts.count
            if character.isWhitespace {
                word = nil
            } else if word == nil || unit == .character {
                word = place
            }
            starts += [Int?](repeating: word, count: character.utf8.count)
        }
        return starts
    }
}
