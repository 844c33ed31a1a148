/// The known name that a misspelt or shortened one most likely stands for.
/// - Returns: nil if no name is close enough (more than a third of the letters differ) and none begins or ends with the
///   given one, or if that is longer than 64 bytes.
package func nearestName(to name: String, among known: [String]) -> String? {
    guard name.utf8.count <= longestName else { return nil }
    let scored = known.filter { $0.utf8.count <= longestName }.map {
        (name: $0, distance: editDistance(name.lowercased(), $0.lowercased()))
    }
    guard let best = scored.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    if best.distance <= max(1, max(name.count, best.name.count) / 3) { return best.name }
    return shortestName(with: name, among: scored.map(\.name))
}

/// The shortest name that begins or ends with what was written, as `videoQuality` does with `quality`; nil where less
/// than four letters were written.
private func shortestName(with part: String, among known: [String]) -> String? {
    guard part.utf8.count >= 4 else { return nil }
    let part = part.lowercased()
    let found = known.filter { $0.lowercased().hasPrefix(part) || $0.lowercased().hasSuffix(part) }
    return found.min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
}

/// In bytes. The time of a comparison is proportional to the product of both lengths.
private let longestName = 64

/// The number of single-letter insertions, deletions and substitutions and of swaps of neighbouring letters (the distance
/// of optimal string alignment).
private func editDistance(_ first: String, _ second: String) -> Int {
    let (source, target) = (Array(first), Array(second))
    var before: [Int] = []
    var last = Array(0...target.count)
    for (index, letter) in source.enumerated() {
        var row = [index + 1]
        for column in target.indices {
            let isEqual = letter == target[column]
            var distance = min(last[column] + (isEqual ? 0 : 1), min(last[column + 1], row[column]) + 1)
            if index > 0, column > 0, letter == target[column - 1], source[index - 1] == target[column] {
                distance = min(distance, before[column - 1] + 1)
            }
            row.append(distance)
        }
        (before, last) = (last, row)
    }
    return last[target.count]
}
