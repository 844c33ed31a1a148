import DraftModel

/// Checks that corners without animations make a convex quadrilateral. A rectangle in perspective is always convex.
func checkCorners(_ draft: Draft, _ diagnostics: inout Diagnostics) {
    for (index, clip) in draft.mainTrackClips.enumerated() {
        check(clip.transform, clip.animations, at: "mainTrackClips[\(index)]", "transform.", &diagnostics)
    }
    forEachLayer(draft.layers ?? []) { layer, path in
        check(layer.transform, layer.animations, at: path, "transform.", &diagnostics)
        check(layer.mask?.transform, layer.animations, at: path, "mask.transform.", &diagnostics)
    }
}

private func check(
    _ transform: Transform?, _ animations: [Animation]?, at owner: String, _ prefix: String,
    _ diagnostics: inout Diagnostics
) {
    guard let corners = transform?.corners else { return }
    if animations?.contains(where: { $0.keyPath.hasPrefix(prefix + "corners.") }) == true { return }
    let points = zip(Transform.Corners.names, corners.pairs).map { (x: $1?.x ?? $0.x, y: $1?.y ?? $0.y) }
    // The cross products of neighbouring edges all have the same sign if the quadrilateral is convex.
    let turns = points.indices.map { index in
        let (a, b, c) = (points[index], points[(index + 1) % 4], points[(index + 2) % 4])
        return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    }
    if turns.allSatisfy({ $0 > 1e-9 }) || turns.allSatisfy({ $0 < -1e-9 }) { return }
    diagnostics.report(
        "\(owner).\(prefix)corners", .invalidValue,
        "must make a convex quadrilateral: topLeft, topRight, bottomRight and bottomLeft in order around it")
}
