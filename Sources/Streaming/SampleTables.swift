/// The tables of a track that say where its samples are and when they are shown (ISO/IEC 14496-12, section 8).
struct SampleTables {
    private let reader: BoxReader
    private let boxes: [String: Range<Int>]
    private let fileSize: Int

    /// The most samples that a file may have: ten hours of sound have 1.7 million.
    private static let mostSamples = 2_000_000

    /// - Parameter tables: the content of the box `stbl`.
    init(_ reader: BoxReader, _ tables: Range<Int>, fileSize: Int) throws(StreamFault) {
        self.reader = reader
        self.fileSize = fileSize
        boxes = Dictionary(try reader.boxes(in: tables).map { ($0.type, $0.content) }) { first, _ in first }
    }

    /// All samples in the order of decoding.
    func samples() throws(StreamFault) -> [MovieTrack.Sample] {
        let sizes = try self.sizes()
        let places = try self.places(of: sizes)
        let durations = try runs("stts", count: sizes.count)
        let offsets = boxes["ctts"] == nil ? [Int](repeating: 0, count: sizes.count) : try runs("ctts", count: sizes.count)
        let sync = try syncSamples()
        return sizes.indices.map { index in
            MovieTrack.Sample(
                place: places[index], duration: durations[index], presentationOffset: offsets[index],
                isSync: sync?.contains(index) ?? true)
        }
    }

    private func content(_ type: String) throws(StreamFault) -> Range<Int> {
        guard let content = boxes[type] else { throw StreamFault("the file has no box '\(type)'") }
        return content
    }

    /// The number of entries of a table, which must fit into it.
    /// - Parameters:
    ///   - place: where the number is in the table.
    ///   - width: the size of an entry in bytes.
    private func count(_ table: Range<Int>, at place: Int, width: Int) throws(StreamFault) -> Int {
        let count = try reader.number(at: table.lowerBound + place, bytes: 4)
        guard count <= SampleTables.mostSamples, count * width <= table.count - place - 4 else {
            throw StreamFault("a table of the file is cut short")
        }
        return count
    }

    private func sizes() throws(StreamFault) -> [Int] {
        let table = try content("stsz")
        let same = try reader.number(at: table.lowerBound + 4, bytes: 4)
        let count = try count(table, at: 8, width: same == 0 ? 4 : 0)
        guard same == 0 else { return [Int](repeating: same, count: count) }
        var sizes: [Int] = []
        sizes.reserveCapacity(count)
        for index in 0..<count { sizes.append(try reader.number(at: table.lowerBound + 12 + 4 * index, bytes: 4)) }
        return sizes
    }

    /// A table of runs: how many samples have a value, and the value.
    private func runs(_ type: String, count wanted: Int) throws(StreamFault) -> [Int] {
        let table = try content(type)
        var values: [Int] = []
        values.reserveCapacity(wanted)
        for index in 0..<(try count(table, at: 4, width: 8)) {
            let place = table.lowerBound + 8 + 8 * index
            let length = try reader.number(at: place, bytes: 4)
            guard length <= wanted - values.count else { throw StreamFault("the box '\(type)' names too many samples") }
            let value = try reader.signedNumber(at: place + 4)
            values += repeatElement(value, count: length)
        }
        guard values.count == wanted else { throw StreamFault("the box '\(type)' names too few samples") }
        return values
    }

    /// The places of the samples: the chunks have places, and samples follow each other in a chunk.
    private func places(of sizes: [Int]) throws(StreamFault) -> [Range<Int>] {
        let chunks = try chunkPlaces()
        let table = try content("stsc")
        let count = try count(table, at: 4, width: 12)
        var places: [Range<Int>] = []
        places.reserveCapacity(sizes.count)
        for index in 0..<count {
            let place = table.lowerBound + 8 + 12 * index
            let first = try reader.number(at: place, bytes: 4) - 1
            let perChunk = try reader.number(at: place + 4, bytes: 4)
            let end = index + 1 < count ? try reader.number(at: place + 12, bytes: 4) - 1 : chunks.count
            guard first >= 0, first <= end, end <= chunks.count else {
                throw StreamFault("the chunks of the file are in disorder")
            }
            for chunk in first..<end {
                var position = chunks[chunk]
                for _ in 0..<min(perChunk, sizes.count - places.count) {
                    let size = sizes[places.count]
                    guard size <= fileSize - position else { throw StreamFault("a sample lies behind the end of the file") }
                    places.append(position..<(position + size))
                    position += size
                }
            }
        }
        guard places.count == sizes.count else { throw StreamFault("samples of the file are in no chunk") }
        return places
    }

    private func chunkPlaces() throws(StreamFault) -> [Int] {
        let width = boxes["co64"] == nil ? 4 : 8
        let table = try content(width == 4 ? "stco" : "co64")
        var places: [Int] = []
        for index in 0..<(try count(table, at: 4, width: width)) {
            let place = try reader.number(at: table.lowerBound + 8 + width * index, bytes: width)
            guard place <= fileSize else { throw StreamFault("a chunk lies behind the end of the file") }
            places.append(place)
        }
        return places
    }

    /// The samples at which decoding can begin; nil where it can at each.
    private func syncSamples() throws(StreamFault) -> Set<Int>? {
        guard let table = boxes["stss"] else { return nil }
        var sync: Set<Int> = []
        for index in 0..<(try count(table, at: 4, width: 4)) {
            sync.insert(try reader.number(at: table.lowerBound + 8 + 4 * index, bytes: 4) - 1)
        }
        return sync
    }
}
