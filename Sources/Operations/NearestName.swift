/// The known name that a misspelt one most likely meant.
/// - Returns: nil when nothing is near: more than a third of the letters differ.
func nearestName(to name: String, among known: [String]) -> String? {
    let scored = known.map { (name: $0, distance: letterChanges(from: name.lowercased(), to: $0.lowercased())) }
    guard let best = scored.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
    return best.distance <= max(1, max(name.count, best.name.count) / 3) ? best.name : nil
}

/// Levenshtein's distance: letters put in, taken out and replaced.
private func letterChanges(from first: String, to second: String) -> Int {
    let second = Array(second)
    var distances = Array(0...second.count)
    for (row, letter) in first.enumerated() {
        var previous = distances
        swap(&previous, &distances)
        distances[0] = row + 1
        for (column, other) in second.enumerated() {
            let replaced = previous[column] + (letter == other ? 0 : 1)
            distances[column + 1] = min(replaced, previous[column + 1] + 1, distances[column] + 1)
        }
    }
    return distances[second.count]
}
