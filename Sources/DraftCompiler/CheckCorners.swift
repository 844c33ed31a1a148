import DraftModel

/// Corners that do not move must make a convex quadrilateral: nothing that hangs in space looks otherwise.
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
    // Every turn from edge to edge goes the same way round.
    let turns = points.indices.map { index in
        let (a, b, c) = (points[index], points[(index + 1) % 4], points[(index + 2) % 4])
        return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x)
    }
    if turns.allSatisfy({ $0 > 1e-9 }) || turns.allSatisfy({ $0 < -1e-9 }) { return }
    diagnostics.report(
        "\(owner).\(prefix)corners", .invalidValue,
        "must make a convex quadrilateral: topLeft, topRight, bottomRight and bottomLeft in order round it")
}
