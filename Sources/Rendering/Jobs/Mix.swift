import Media

/// The film's sound before it is encoded. It can be read repeatedly.
protocol Mix {
    /// - Parameter emit: called with each block of interleaved samples.
    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws
}

/// The mixed segments, one after the other, or a range of them.
struct JoinedMix: Mix {
    let files: [String]
    let channels: Int
    /// The samples that are read, counted from the first one of the first file; nil for all.
    var samples: Range<Int>?

    /// - Throws: `MediaError` of `SourceFile`, and the errors of `emit`.
    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        var block = [Float](repeating: 0, count: 16_384 * channels)
        let wanted = samples.map { $0.lowerBound * channels * 4..<$0.upperBound * channels * 4 }
        var start = 0
        for path in files {
            let file = try SourceFile(path: path, canBeEmpty: true)
            let bytes = (wanted ?? 0..<Int.max).clamped(to: start..<(start + file.byteCount))
            var place = bytes.lowerBound - start
            while place < bytes.upperBound - start {
                let rest = bytes.upperBound - start - place
                let count = try block.withUnsafeMutableBytes { buffer in
                    try file.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(rest, buffer.count)]), from: place)
                }
                guard count > 0 else { break }  // the file has become shorter, which the sum of samples will tell
                try block.withUnsafeBufferPointer { try emit(UnsafeBufferPointer(rebasing: $0[..<(count / 4)])) }
                place += count
            }
            start += file.byteCount
        }
    }
}
