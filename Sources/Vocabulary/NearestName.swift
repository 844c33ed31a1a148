/// The known name that a misspelt one most likely stands for.
/// - Returns: nil if no name is close enough (more than a third of the letters differ), or if the given name is longer
///   than 64 bytes.
package func nearestName(to name: String, among known: [String]) -> String? {
    guard name.utf8.count <= longestName else { return nil }
    let scored = known.filter { $0.utf8.count <= longestName }.map {
        (name: $0, distance: editDistance(name.lowercased(), $0.lowercased()))
    }
    guard let best = scored.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    return best.distance <= max(1, max(name.count, best.name.count) / 3) ? best.name : nil
}

/// In bytes. The time of a comparison is proportional to the product of both lengths.
private let longestName = 64

/// The Levenshtein distance: the number of single-letter insertions, deletions and substitutions.
private func editDistance(_ first: String, _ second: String) -> Int {
    let target = Array(second)
    var row = Array(0...target.count)
    for (index, letter) in first.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in target.indices {
            let substituted = diagonal + (letter == target[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(substituted, min(row[column], diagonal) + 1)
        }
    }
    return row[target.count]
}
