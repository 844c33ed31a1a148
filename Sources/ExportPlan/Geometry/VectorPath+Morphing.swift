extension VectorPath {
    /// A path between this one and another: every point moves on a straight line. Where one has a line and the other a
    /// curve, the line counts as a curve.
    /// - Parameter share: 0 gives this path, and 1 the other.
    /// - Returns: nil where the paths do not have the same segments, one by one.
    package func morphed(into other: VectorPath, _ share: Double) -> VectorPath? {
        guard elements.count == other.elements.count else { return nil }
        func between(_ from: Point, _ to: Point) -> Point { from * (1 - share) + to * share }
        var result: [Element] = []
        var (place, otherPlace) = (Point(x: 0, y: 0), Point(x: 0, y: 0))
        var (begin, otherBegin) = (place, otherPlace)
        for (element, otherElement) in zip(elements, other.elements) {
            switch (element, otherElement) {
            case (.move(let to), .move(let otherTo)):
                result.append(.move(to: between(to, otherTo)))
                (begin, otherBegin) = (to, otherTo)
            case (.line(let to), .line(let otherTo)): result.append(.line(to: between(to, otherTo)))
            case (.close, .close): result.append(.close)
            default:
                guard let curve = element.curve(from: place), let otherCurve = otherElement.curve(from: otherPlace) else {
                    return nil
                }
                result.append(
                    .curve(
                        first: between(curve.0, otherCurve.0), second: between(curve.1, otherCurve.1),
                        to: between(curve.2, otherCurve.2)))
            }
            place = element.end ?? begin
            otherPlace = otherElement.end ?? otherBegin
        }
        return VectorPath(elements: result)
    }

    /// The kinds of the segments as letters of SVG, at most 40: `MLLC…`.
    package var segments: String {
        let letters = elements.prefix(40).map { element in
            switch element {
            case .move: "M"
            case .line: "L"
            case .curve: "C"
            case .close: "Z"
            }
        }
        return letters.joined() + (elements.count > 40 ? "…" : "")
    }
}

extension VectorPath.Element {
    /// Where the element ends; nil for `close`, which ends where its part of the path began.
    fileprivate var end: VectorPath.Point? {
        switch self {
        case .move(let to), .line(let to), .curve(_, _, let to): to
        case .close: nil
        }
    }

    /// The points of a line or a curve as a cubic curve; nil for other elements.
    fileprivate func curve(from start: VectorPath.Point) -> (VectorPath.Point, VectorPath.Point, VectorPath.Point)? {
        switch self {
        case .curve(let first, let second, let to): (first, second, to)
        case .line(let to): (start * (2 / 3) + to * (1 / 3), start * (1 / 3) + to * (2 / 3), to)
        case .move, .close: nil
        }
    }
}
