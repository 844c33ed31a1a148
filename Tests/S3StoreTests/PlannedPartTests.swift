import ArtifactStore
import S3Store
import TestSupport
import Testing

/// How files are split into parts that are sent and parts that are copied.
@Suite("The parts of an upload")
struct PlannedPartTests {
    private static let mebi: Int64 = 1 << 20

    @Test("A file without shared bytes is sent in parts of one size, and the last one is smaller")
    func sent() {
        let sizes = S3Blobs.Sizes()
        #expect(PlannedPart.parts(of: 0, sharing: [], sizes).isEmpty)
        #expect(PlannedPart.parts(of: 1, sharing: [], sizes).map(\.range) == [0..<1])
        #expect(PlannedPart.parts(of: 17 << 20, sharing: [], sizes).map(\.range) == [0..<16 << 20, 16 << 20..<17 << 20])
        let many = PlannedPart.parts(of: 200_000 << 20, sharing: [], sizes).map(\.range.count)
        #expect(many.count <= 10_000 && Set(many.dropLast()).count == 1 && many[many.count - 1] <= many[0])
    }

    @Test("One changed second of a film is sent with as few of its neighbours as the service allows")
    func changed() {
        let mebi = Self.mebi
        let runs = [
            SharedBytes.Run(range: mebi..<40 * mebi, offset: 2 * mebi),
            SharedBytes.Run(range: 41 * mebi..<100 * mebi, offset: 42 * mebi),
        ]
        let parts = PlannedPart.parts(of: 100 * mebi, sharing: runs, S3Blobs.Sizes())
        #expect(
            parts.map(\.range) == [0..<5 * mebi, 5 * mebi..<40 * mebi, 40 * mebi..<45 * mebi, 45 * mebi..<100 * mebi])
        #expect(parts.map(\.offset) == [nil, 6 * mebi, nil, 46 * mebi])
    }

    @Test("Whatever is shared, the parts are the whole file, each as large as it has to be", arguments: 0..<500)
    func random(_ seed: Int) {
        var random = RandomNumbers(seed: UInt64(seed))
        var sizes = S3Blobs.Sizes()
        sizes.smallestPart = .random(in: 1...50, using: &random)
        sizes.part = sizes.smallestPart * .random(in: 1...4, using: &random)
        sizes.copiedPart = sizes.part * .random(in: 1...4, using: &random)
        sizes.partCount = .random(in: 10...1000, using: &random)
        let byteCount = Int64.random(in: 0...2000, using: &random)
        var runs: [SharedBytes.Run] = []
        var position: Int64 = 0
        while position < byteCount {
            let start = position + .random(in: 0...80, using: &random)
            let end = start + .random(in: 1...300, using: &random)
            guard end <= byteCount else { break }
            runs.append(SharedBytes.Run(range: start..<end, offset: .random(in: 0...1000, using: &random)))
            position = end
        }
        // A run behind the file's end, which has become shorter, counts for nothing.
        let late = SharedBytes.Run(range: byteCount..<byteCount + 100, offset: 0)
        let parts = PlannedPart.parts(of: byteCount, sharing: runs + [late], sizes)
        #expect(parts == PlannedPart.parts(of: byteCount, sharing: runs, sizes))
        #expect(parts.count <= sizes.partCount)
        #expect(parts.map(\.range.lowerBound) == [0] + parts.dropLast().map(\.range.upperBound) || parts.isEmpty)
        #expect(parts.last?.range.upperBound ?? 0 == byteCount)
        for part in parts.dropLast() { #expect(part.range.count >= sizes.smallestPart) }
        for part in parts where part.offset != nil {
            #expect(part.range.count <= sizes.copiedPart || part.range.count < 2 * sizes.smallestPart)
            let run = runs.first { $0.range.contains(part.range.lowerBound) && $0.range.upperBound >= part.range.upperBound }
            #expect(run.map { $0.offset + part.range.lowerBound - $0.range.lowerBound } == part.offset)
        }
    }
}
