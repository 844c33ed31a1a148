/// Splits a process's output into lines, in linear time. It holds at most `limit` bytes of an unfinished line.
struct LineSplitter {
    struct Line: Equatable {
        var bytes: [UInt8]
        /// Whether the line was longer than the limit; the rest up to its end is dropped.
        var isCut = false
    }

    private let limit: Int
    private var rest: [UInt8] = []
    /// Whether the end of a line that was cut has not come yet.
    private var isDropping = false

    /// - Parameter limit: the greatest length of a line in bytes, without its line feed.
    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: the lines that are completed by these bytes, and the beginnings of those that exceed the limit.
    mutating func add(_ bytes: UnsafeRawBufferPointer) -> [Line] {
        var lines: [Line] = []
        var chunk = Slice(base: bytes, bounds: bytes.indices)
        while !chunk.isEmpty {
            let end = chunk.firstIndex(of: 0x0A)
            let part = chunk[..<(end ?? chunk.endIndex)]
            chunk = end.map { chunk[($0 + 1)...] } ?? chunk[chunk.endIndex...]
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

    /// The bytes after the last line feed.
    mutating func takeRest() -> [UInt8] {
        defer { rest = [] }
        return rest
    }
}
