import CFFmpeg
import ExportPlan
import Glibc

/// Decoded frames in a file without a name, which ends with this value. It takes what would be too much for memory.
///
/// A frame's planes are written and read as they lie in memory, so that no pixel is copied in between. A sum of them shows
/// whether they come back unchanged, because a disk may fail after a write has succeeded.
final class FrameFile {
    /// A frame that was written.
    struct Entry {
        /// The frame without its planes.
        fileprivate let properties: VideoFrame
        fileprivate let layout: Layout
        fileprivate let place: off_t
        fileprivate let sum: [UInt8]
    }

    /// The places of a frame's planes within its own place in the file.
    fileprivate struct Layout {
        var offsets: [Int] = []
        var byteCounts: [Int] = []
        var lineSizes: [Int32] = []
        var byteCount = 0

        /// - Returns: nil for a frame that has more than planes, or whose rows lie upside down.
        init?(_ frame: VideoFrame) {
            guard let format = av_pix_fmt_desc_get(frame.pixelFormat),
                format.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL) == 0
            else { return nil }
            let size = frame.size
            for plane in 0..<Int(max(0, av_pix_fmt_count_planes(frame.pixelFormat))) {
                let halvings = plane == 1 || plane == 2 ? Int(format.pointee.log2_chroma_h) : 0
                let rows = (size.height + (1 << halvings) - 1) >> halvings
                let row = Int(av_image_get_linesize(frame.pixelFormat, Int32(size.width), Int32(plane)))
                guard rows > 0, row > 0, frame.lineSize(plane) >= row else { return nil }
                offsets.append(byteCount)
                byteCounts.append(frame.lineSize(plane) * (rows - 1) + row)
                lineSizes.append(Int32(frame.lineSize(plane)))
                byteCount += (byteCounts[plane] + FrameFile.alignment - 1) / FrameFile.alignment * FrameFile.alignment
            }
            guard byteCount > 0 else { return nil }
        }
    }

    /// How many bytes vector code may read behind a plane, and what the addresses of planes are multiples of.
    private static let alignment = 64

    private let descriptor: Int32
    private let limit: Int
    /// The bytes of each place, which the first frame decides.
    private var placeSize = 0
    private var written = 0

    /// - Parameters:
    ///   - path: a path where no file is; none is seen there afterwards either.
    ///   - limit: the most bytes of the file.
    /// - Returns: nil if the file cannot be created, if it is not on a disk of this machine, or if that has less room than four
    ///   such files, which others may need more.
    init?(path: String, limit: Int) {
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.limit = limit
        guard descriptor >= 0 else { return nil }
        unlink(path)
        var disk = statfs()
        guard fstatfs(descriptor, &disk) == 0, FrameFile.onDisks.contains(Int(disk.f_type)),
            disk.f_bavail.multipliedReportingOverflow(by: UInt(disk.f_bsize)).partialValue / 4 >= limit
        else { return nil }
    }

    /// The types of file systems on disks, as statfs(2) has them: ext2 to ext4, XFS, Btrfs, F2FS, ZFS, bcachefs and overlayfs.
    /// A file in memory (tmpfs) would take what it saves; reading over a network may take longer than decoding.
    private static let onDisks: Set = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E, 0x794C_7630,
    ]
    /// The most frames, however small they are, because each has an entry in memory.
    private static let mostFrames = 2000

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// How many frames the file keeps. It is 0 before the first one is written.
    var capacity: Int { placeSize == 0 ? 0 : min(FrameFile.mostFrames, limit / placeSize) }

    /// Writes a frame in place of the oldest one where the file is full.
    /// - Returns: nil if the file cannot take the frame, as where the disk is full.
    /// - Throws: `MediaError` `outOfMemory`.
    func write(_ frame: VideoFrame) throws(MediaError) -> Entry? {
        guard let layout = Layout(frame) else { return nil }
        let properties = try VideoFrame()
        if placeSize == 0 { placeSize = layout.byteCount }
        guard layout.byteCount <= placeSize, capacity > 0 else { return nil }
        let place = off_t(written % capacity * placeSize)
        for plane in layout.offsets.indices {
            guard let base = frame.data(plane) else { return nil }
            let isWritten = transfer(layout.byteCounts[plane]) {
                pwrite(descriptor, base + $0, $1, place + off_t(layout.offsets[plane] + $0))
            }
            guard isWritten else { return nil }
        }
        guard av_frame_copy_props(properties.pointer, frame.pointer) >= 0 else { return nil }
        properties.pointer.pointee.format = frame.pointer.pointee.format
        properties.pointer.pointee.width = frame.pointer.pointee.width
        properties.pointer.pointee.height = frame.pointer.pointee.height
        written += 1
        return Entry(properties: properties, layout: layout, place: place, sum: try sum(frame, layout))
    }

    /// - Returns: nil if the file cannot be read, or gives other bytes than were written.
    /// - Throws: `MediaError` `outOfMemory`.
    func read(_ entry: Entry) throws(MediaError) -> VideoFrame? {
        let (frame, layout) = (try VideoFrame(), entry.layout)
        try LibavResult.check(
            av_frame_copy_props(frame.pointer, entry.properties.pointer), "frame", "cannot be copied", .outOfMemory)
        let buffer = try LibavResult.allocated(av_buffer_alloc(layout.byteCount + FrameFile.alignment), "frame")
        frame.pointer.pointee.buf.0 = buffer
        frame.pointer.pointee.format = entry.properties.pointer.pointee.format
        frame.pointer.pointee.width = entry.properties.pointer.pointee.width
        frame.pointer.pointee.height = entry.properties.pointer.pointee.height
        for plane in layout.offsets.indices {
            let base = buffer.pointee.data + layout.offsets[plane]
            frame.setPlane(plane, base, lineSize: layout.lineSizes[plane])
            let isRead = transfer(layout.byteCounts[plane]) {
                pread(descriptor, base + $0, $1, entry.place + off_t(layout.offsets[plane] + $0))
            }
            guard isRead else { return nil }
        }
        return try sum(frame, layout) == entry.sum ? frame : nil
    }

    /// A sum of the bytes of all planes, by MurmurHash3 (A. Appleby).
    private func sum(_ frame: VideoFrame, _ layout: Layout) throws(MediaError) -> [UInt8] {
        let state = try LibavResult.allocated(av_murmur3_alloc(), "frame")
        defer { av_free(UnsafeMutableRawPointer(state)) }
        av_murmur3_init(state)
        for plane in layout.byteCounts.indices { av_murmur3_update(state, frame.data(plane), layout.byteCounts[plane]) }
        var result = [UInt8](repeating: 0, count: 16)
        av_murmur3_final(state, &result)
        return result
    }

    /// Calls a function that moves bytes, until it has moved all.
    /// - Parameter move: gets the offset and the number of the bytes that are left; returns how many of them it moved.
    private func transfer(_ count: Int, _ move: (Int, Int) -> Int) -> Bool {
        var done = 0
        while done < count {
            let moved = move(done, count - done)
            if moved < 0, errno == EINTR { continue }
            guard moved > 0 else { return false }
            done += moved
        }
        return true
    }
}
