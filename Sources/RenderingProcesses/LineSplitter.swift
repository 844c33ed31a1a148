/// Cuts what a process writes into lines, in time that grows with the bytes. Of a line that does not end it holds no more than
/// a limit.
struct LineSplitter {
    struct Line: Equatable {
        var bytes: [UInt8]
        /// Whether the line went on: what follows up to its end is dropped.
        var isCut = false
    }

    private let limit: Int
    private var rest: [UInt8] = []
    /// Whether the end of a line that was cut is still to come.
    private var isDropping = false

    /// - Parameter limit: bytes of the longest line, its end not counted.
    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that end in these bytes, and those that have become too long.
    mutating func add(_ bytes: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var piece = Slice(base: bytes, bounds: bytes.indices)
        while !piece.isEmpty {
            let end = piece.firstIndex(of: 0x0A)
            let part = piece[..<(end ?? piece.endIndex)]
            piece = end.map { piece[($0 + 1)...] } ?? piece[piece.endIndex...]
            if !isDropping {
                rest += part.prefix(limit + 1 - rest.count)
                if rest.count > limit {
                    lines.append(Line(bytes: Array(rest.prefix(limit)), isCut: true))
                    isDropping = true
                } else if end != nil {
                    lines.append(Line(bytes: rest))
                }
                if end != nil || isDropping { rest.removeAll(keepingCapacity: rest.count < 1 << 16) }
            }
            if end != nil { isDropping = false }
        }
        return lines
    }

    /// What came behind the last line's end.
    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }
}
