import Media

/// The film's sound before it is encoded. Can be read again and again.
protocol Mix {
    /// - Parameter emit: takes block after block of interleaved samples.
    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws
}

/// The mixed segments one after the other.
struct JoinedMix: Mix {
    let files: [String]
    let channels: Int

    /// - Throws: `MediaError`, see `SourceFile`, and what `emit` throws.
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
