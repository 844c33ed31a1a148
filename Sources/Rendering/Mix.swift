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

    func read(_ emit: (UnsafeBufferPointer<Float>) throws -> Void) throws {
        var block = [Float](repeating: 0, count: 16_384 * channels)
        for path in files {
            let file = try SampleFile(reading: path)
            while true {
                let count = try block.withUnsafeMutableBufferPointer { try file.read(into: $0) }
                guard count > 0 else { break }
                try block.withUnsafeBufferPointer { try emit(UnsafeBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }
}
