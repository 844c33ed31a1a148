import Subprocess

/// The lines that a rendering process writes to standard output. They are read no faster than they are taken, so that a
/// process that writes without end fills its pipe and no memory.
actor ProcessOutput {
    enum Item {
        case line([UInt8])
        /// The beginning of a line that exceeds the limit; no further item follows.
        case tooLong([UInt8])
        /// Standard output was closed; the bytes are those of a last line without a line feed.
        case end([UInt8])
    }

    private let limit: Int
    private var items: [Item] = []
    private var isOver = false
    private var isIgnored = false
    private var reader: CheckedContinuation<Void, Never>?
    private var writer: CheckedContinuation<Void, Never>?

    /// - Parameter limit: the greatest length of a line in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Reads until the process has closed its standard output or has ended.
    func listen(to output: SubprocessOutputSequence) async {
        var splitter = LineSplitter(limit: limit)
        do {
            for try await buffer in output where !isOver && !isIgnored {
                for line in buffer.withUnsafeBytes({ splitter.add($0) }) where !isOver {
                    items.append(line.isCut ? .tooLong(line.bytes) : .line(line.bytes))
                    isOver = line.isCut
                }
                wakeReader()
                while !items.isEmpty, !isIgnored { await withCheckedContinuation { writer = $0 } }
            }
        } catch {
            // A pipe that cannot be read any more counts as closed.
        }
        if !isOver { items.append(.end(splitter.takeRest())) }
        isOver = true
        wakeReader()
    }

    /// The next item; waits for it. Only one task may call it, and not after `tooLong` or `end`.
    func next() async -> Item {
        while items.isEmpty {
            if isOver { return .end([]) }
            await withCheckedContinuation { reader = $0 }
        }
        let item = items.removeFirst()
        if items.isEmpty { wakeWriter() }
        return item
    }

    /// Whether there is no item that has not been taken, including the end.
    var isSilent: Bool { items.isEmpty && !isOver }

    /// Drops all further output.
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
