package import ArtifactStore

/// A part of a file that is uploaded in parts: its bytes are sent, or copied from an object of the service.
package struct PlannedPart: Hashable, Sendable {
    /// The part's bytes in the file.
    package var range: Range<Int64>
    /// The offset of the same bytes in the object that shares them; nil where they are sent.
    package var offset: Int64?

    /// The parts of a file: as many shared bytes as possible are copied. A part of an upload has a least size, so a few
    /// shared bytes are sent as well, and runs that are too short for a part of their own.
    /// - Parameter runs: the bytes that an object shares, in order and without overlaps.
    /// - Returns: the parts in the file's order, which have all its bytes.
    package static func parts(
        of byteCount: Int64, sharing runs: [SharedBytes.Run], _ sizes: S3Blobs.Sizes
    ) -> [PlannedPart] {
        var parts: [PlannedPart] = []
        var position: Int64 = 0
        for run in runs where run.range.upperBound <= byteCount {
            var start = max(run.range.lowerBound, position)
            // The bytes before the run are a part of their own, with bytes of the run where they are too few.
            if start > position { start = max(start, position + sizes.smallestPart) }
            let isLast = run.range.upperBound == byteCount
            guard run.range.upperBound - start >= (isLast ? 1 : sizes.smallestPart) else { continue }
            parts += split(position..<start, atMost: sizes.part, sizes)
            parts += split(start..<run.range.upperBound, atMost: sizes.copiedPart, sizes).map { part in
                PlannedPart(range: part.range, offset: run.offset + part.range.lowerBound - run.range.lowerBound)
            }
            position = run.range.upperBound
        }
        guard !parts.isEmpty else { return sent(byteCount, sizes) }
        parts += split(position..<byteCount, atMost: sizes.part, sizes)
        return parts.count <= sizes.partCount ? parts : sent(byteCount, sizes)
    }

    /// The parts of a file that is sent whole: all of one size, and the last one smaller. Some services refuse others.
    private static func sent(_ byteCount: Int64, _ sizes: S3Blobs.Sizes) -> [PlannedPart] {
        let size = max(sizes.part, (byteCount + sizes.partCount - 1) / sizes.partCount)
        return stride(from: 0, to: byteCount, by: Int64.Stride(size)).map { start in
            PlannedPart(range: start..<min(start + size, byteCount))
        }
    }

    /// Equal parts of a range, to a byte, whose bytes are sent. None where it is empty.
    /// - Parameter size: the most bytes of a part, as far as the least size of parts and their number allow.
    private static func split(_ range: Range<Int64>, atMost size: Int64, _ sizes: S3Blobs.Sizes) -> [PlannedPart] {
        let byteCount = range.upperBound - range.lowerBound
        guard byteCount > 0 else { return [] }
        let most = min(max(byteCount / sizes.smallestPart, 1), sizes.partCount)
        let count = min((byteCount + size - 1) / size, most)
        return (0..<count).map { number in
            PlannedPart(
                range: range.lowerBound + byteCount * number / count..<range.lowerBound + byteCount * (number + 1) / count)
        }
    }
}
