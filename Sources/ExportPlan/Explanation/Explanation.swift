/// How something is made, for a person: what it is, what was decided about it, and the parts that it is made of.
///
/// The code that makes a picture or a sound records its decisions where it takes them (`DecisionLog`), so an
/// explanation cannot differ from what is done. `spool plan --explain` shows it.
package struct Explanation: Hashable, Sendable, Codable {
    package var subject: Subject
    /// In the order in which they were taken.
    package var decisions: [Decision]
    package var parts: [Explanation]

    package init(_ subject: Subject, decisions: [Decision] = [], parts: [Explanation] = []) {
        self.subject = subject
        self.decisions = decisions
        self.parts = parts
    }

    /// Whether another frame is made by the same methods. Its number, and the rectangles and sizes of placed pictures may
    /// differ.
    package func usesSameMethods(as other: Explanation) -> Bool { withoutPlaces == other.withoutPlaces }

    private var withoutPlaces: Explanation {
        var subject = subject
        if case .frame = subject { subject = .frame(number: 0) }
        return Explanation(subject, decisions: decisions.map(\.withoutPlace), parts: parts.map(\.withoutPlaces))
    }
}

extension Explanation.Decision {
    fileprivate var withoutPlace: Explanation.Decision {
        switch self {
        case .placement(let method, _, let isMoving):
            .placement(method: method, size: FrameSize(width: 0, height: 0), isMoving: isMoving)
        case .compositing(.blended(_, let mode, let opacity, let isOpaque)):
            .compositing(
                .blended(
                    rect: PixelRect(x: 0, y: 0, width: 0, height: 0), mode: mode, opacity: opacity, isOpaque: isOpaque))
        default: self
        }
    }
}
