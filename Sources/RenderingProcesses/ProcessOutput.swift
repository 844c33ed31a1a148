import Subprocess

/// What a rendering process writes to standard output, line by line. The process is read no faster than its lines are taken,
/// so one that writes without end fills its pipe and no memory.
actor ProcessOutput {
    enum Piece {
        case line([UInt8])
        /// The beginning of a line that is longer than the limit; nothing follows.
        case tooLong([UInt8])
        /// Standard output is closed; the bytes are those of a line without an end.
        case end([UInt8])
    }

    private let limit: Int
    private var pieces: [Piece] = []
    private var isOver = false
    private var isIgnored = false
    private var reader: CheckedContinuation<Void, Never>?
    private var writer: CheckedContinuation<Void, Never>?

    /// - Parameter limit: bytes of the longest line.
    init(limit: Int) {
        self.limit = limit
    }

    /// Reads until the process has closed its standard output or is gone.
    func listen(to output: SubprocessOutputSequence) async {
        var splitter = LineSplitter(limit: limit)
        do {
            for try await buffer in output where !isOver && !isIgnored {
                for line in buffer.withUnsafeBytes({ splitter.add($0) }) where !isOver {
                    pieces.append(line.isCut ? .tooLong(line.bytes) : .line(line.bytes))
                    isOver = line.isCut
                }
                wakeReader()
                while !pieces.isEmpty, !isIgnored { await withCheckedContinuation { writer = $0 } }
            }
        } catch {
            // The pipe cannot be read any more, which is its end.
        }
        if !isOver { pieces.append(.end(splitter.takeRest())) }
        isOver = true
        wakeReader()
    }

    /// The next piece; waits for it. To be asked by one task, and no more after `tooLong` or `end`.
    func next() async -> Piece {
        while pieces.isEmpty {
            if isOver { return .end([]) }
            await withCheckedContinuation { reader = $0 }
        }
        let piece = pieces.removeFirst()
        if pieces.isEmpty { wakeWriter() }
        return piece
    }

    /// Whether nothing has come that was not taken, the end included.
    var isSilent: Bool { pieces.isEmpty && !isOver }

    /// Drops what still comes: nobody takes it.
    func ignoreRest() {
        isIgnored = true
        wakeWriter()
    }

    private func wakeReader() {
        reader?.resume()
        reader = nil
    }

    private func wakeWriter() {
        writer?.resume()
        writer = nil
    }
}
