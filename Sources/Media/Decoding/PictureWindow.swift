import ExportPlan

/// The room for decoded pictures while a film plays backwards, so that a group of pictures is decoded once.
package struct BackwardRoom: Sendable {
    /// The most bytes in memory. Two pictures are kept in any case.
    package var memory: Int
    /// A path where no file is, for the pictures that do not fit into memory; nil to decode those again.
    package var file: String?
    /// The most bytes of that file. The default is the size of 160 pictures at 1080p.
    package var fileSize: Int

    package init(memory: Int = 32 << 20, file: String? = nil, fileSize: Int = 512 << 20) {
        self.memory = memory
        self.file = file
        self.fileSize = fileSize
    }
}

/// Consecutive decoded pictures: the last ones in memory and, of a film that plays backwards, those before them in a file.
struct PictureWindow {
    /// A picture in the file.
    private struct Filed {
        var timestamp: Int64
        var entry: FrameFile.Entry
    }

    private let room: BackwardRoom
    /// The path of the file that has not been made yet; nil for none, and when it has been made.
    private var path: String?
    private var file: FrameFile?
    private var inFile: [Filed] = []
    private var inMemory: [TimedPicture] = []
    /// The pictures of the file that were read last. A film may show one several times, or mix it with the next one.
    private var read: [TimedPicture] = []

    init(_ room: BackwardRoom) {
        self.room = room
        path = room.file
    }

    /// The last picture.
    var last: TimedPicture? { inMemory.last }

    /// The number of pictures.
    var count: Int { inFile.count + inMemory.count }

    /// Begins with another picture, or with none.
    mutating func reset(to picture: TimedPicture? = nil) {
        inMemory = picture.map { [$0] } ?? []
        inFile = []
        read = []
    }

    /// Adds the picture after the last one.
    /// - Parameter keepsOthers: whether the pictures before it may be asked for.
    /// - Throws: `MediaError` `outOfMemory`.
    mutating func append(_ picture: TimedPicture, keepsOthers: Bool) throws(MediaError) {
        inMemory.append(picture)
        let count = keepsOthers ? countInMemory(picture.frame) : 1
        while inMemory.count > count {
            let oldest = inMemory.removeFirst()
            if keepsOthers { try store(oldest) } else { inFile = [] }
        }
    }

    /// How many pictures of the size of a frame the window keeps at most.
    func capacity(for frame: VideoFrame) -> Int {
        countInMemory(frame) + (path != nil || file != nil ? room.fileSize / max(1, frame.byteCount) : 0)
    }

    /// How many pictures stay in memory while playing backwards: few where the others are in a file.
    private func countInMemory(_ frame: VideoFrame) -> Int {
        max(2, room.memory / (path != nil || file != nil ? 4 : 1) / max(1, frame.byteCount))
    }

    private mutating func store(_ picture: TimedPicture) throws(MediaError) {
        if let path { file = FrameFile(path: path, limit: room.fileSize) }
        path = nil
        guard let file, let entry = try file.write(picture.frame) else {
            file = nil
            inFile = []
            return
        }
        inFile.append(Filed(timestamp: picture.timestamp, entry: entry))
        if inFile.count > file.capacity { inFile.removeFirst() }
    }

    /// The last picture at or before a time, in ticks; nil if the window has none.
    /// - Throws: `MediaError` `outOfMemory`.
    mutating func picture(at limit: Int64) throws(MediaError) -> TimedPicture? {
        if let found = inMemory.last(where: { $0.timestamp <= limit }) { return found }
        return try inFile.last { $0.timestamp <= limit }.flatMap { filed throws(MediaError) in try load(filed) }
    }

    /// The picture after the one of a time, in ticks; nil if the window has none.
    /// - Throws: `MediaError` `outOfMemory`.
    mutating func picture(after timestamp: Int64) throws(MediaError) -> TimedPicture? {
        if let filed = inFile.first(where: { $0.timestamp > timestamp }) { return try load(filed) }
        return inMemory.first { $0.timestamp > timestamp }
    }

    /// Reads a picture from the file. One that cannot be read is missing from then on, with all others there.
    private mutating func load(_ filed: Filed) throws(MediaError) -> TimedPicture? {
        if let known = read.first(where: { $0.timestamp == filed.timestamp }) { return known }
        guard let frame = try file?.read(filed.entry) else {
            file = nil
            inFile = []
            return nil
        }
        let picture = TimedPicture(timestamp: filed.timestamp, frame: frame)
        func distance(_ other: TimedPicture) -> Int64 { abs(other.timestamp - filed.timestamp) }
        read = [read.min { distance($0) < distance($1) }, picture].compactMap { $0 }
        return picture
    }
}
