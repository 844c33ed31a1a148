import Media

/// The film's sound before it is encoded. It can be read repeatedly.
protocol Mix {
    /// - Parameter emit: called with each block of interleaved samples.
    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws
}

/// The mixed segments, one after the other.
struct JoinedMix: Mix {
    let files: [String]
    let channels: Int

    /// - Throws: `MediaError` of `SourceFile`, and the errors of `emit`.
    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        var block = [Float](repeating: 0, count: 16_384 * channels)
        for path in files {
            let file = try SourceFile(path: path, canBeEmpty: true)
            var place = 0
            while place < file.byteCount {
                let count = try block.withUnsafeMutableBytes { try file.fill($0, from: place) }
                try block.withUnsafeBufferPointer { try emit(UnsafeBufferPointer(rebasing: $0[..<(count / 4)])) }
                place += count
            }
        }
    }
}
