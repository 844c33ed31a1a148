/// The position of a WebVTT cue (W3C WebVTT, sections 3.1 and 7.2): `line`, `position`, `size`, `align`. Vertical text
/// (`vertical`) and regions are laid out like all other text.
struct CuePlacement: Sendable, Equatable {
    enum Line: Sendable, Equatable {
        /// Percent of the frame's height.
        case percent(Double)
        /// The number of a text line, counted from the top; negative numbers count from the bottom.
        case number(Int)
    }

    enum Side: Sendable { case start, center, end }

    var line: Line?
    /// The edge of the cue that `line` refers to.
    var lineAlign = Side.start
    /// Percent of the frame's width; nil where the alignment decides.
    var position: Double?
    /// The edge of the box that `position` refers to; nil where the alignment decides.
    var positionAlign: Side?
    /// Percent of the frame's width.
    var size = 100.0
    var align = Side.center

    /// - Returns: nil when there are no valid settings. Invalid settings are ignored, as the specification demands.
    init?(_ settings: Substring) {
        var isSaid = false
        for setting in settings.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            let parts = setting.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let values = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            isSaid = take(parts[0], values) || isSaid
        }
        guard isSaid else { return nil }
    }

    private mutating func take(_ name: Substring, _ values: [Substring]) -> Bool {
        let second = values.count > 1 ? values[1] : ""
        switch name {
        case "line":
            if let percent = CuePlacement.percent(values[0]) {
                line = .percent(percent)
            } else if let number = Int(values[0]), abs(number) < 1000 {
                line = .number(number)
            } else {
                return false
            }
            lineAlign = second == "center" ? .center : second == "end" ? .end : .start
        case "position":
            guard let percent = CuePlacement.percent(values[0]) else { return false }
            position = percent
            positionAlign = second == "line-left" ? .start : second == "line-right" ? .end : second == "center" ? .center : nil
        case "size":
            guard let percent = CuePlacement.percent(values[0]) else { return false }
            size = percent
        case "align":
            switch values[0] {
            case "start", "left": align = .start
            case "center", "middle": align = .center
            case "end", "right": align = .end
            default: return false
            }
        default: return false
        }
        return true
    }

    /// The left and right edges of the cue's box in percent of the frame's width. The box is as large as its position
    /// allows, up to `size`.
    var extent: (left: Double, right: Double) {
        let position = position ?? (align == .start ? 0 : align == .end ? 100 : 50)
        switch positionAlign ?? align {
        case .start: return (position, position + min(size, 100 - position))
        case .end: return (position - min(size, position), position)
        case .center:
            let half = min(size / 2, position, 100 - position)
            return (position - half, position + half)
        }
    }

    private static func percent(_ text: Substring) -> Double? {
        guard text.last == "%", let value = Double(text.dropLast()), (0...100).contains(value) else { return nil }
        return value
    }
}
