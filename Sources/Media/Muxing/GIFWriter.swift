import ExactTime
import ExportPlan
import FoundationEssentials

/// Joins GIFs (GIF89a specification, sections 18 to 27). Each image carries the palette of its segment and is shown for
/// the duration of its film frames, in hundredths of a second.
final class GIFWriter: AnimationWriter {
    private let file: OutputFile
    private let clock: AnimationClock
    private let tags: [String: String]
    private var isBegun = false

    /// - Parameter tags: written as comments.
    init(path: String, _ frameRate: FrameRate, tags: [String: String]) throws(MediaError) {
        file = try OutputFile(path: path)
        clock = AnimationClock(frameRate: frameRate, ticksPerSecond: 100)
        self.tags = tags
    }

    /// - Parameter size: the size of the canvas, as its four bytes in the file.
    private func begin(_ size: Data.SubSequence) {
        isBegun = true
        // There is no global palette; colours have 8 bits; the background index is 0.
        file.write(Array("GIF89a".utf8) + size + [0x70, 0, 0])
        // The NETSCAPE2.0 extension with a count of 0 makes the animation loop forever.
        file.write([0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0])
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) { writeComment("\(name): \(value)") }
    }

    func add(segment path: String, frames: Range<Int>) throws(MediaError) {
        let data = Data(try SourceFile(path: path).bytes())
        var images = GIFImages(data)
        if !isBegun, data.count > 10 { begin(data[(data.startIndex + 6)..<(data.startIndex + 10)]) }
        var next = frames.lowerBound
        while let image = images.next() {
            guard next < frames.upperBound else { throw damaged(path, "more") }
            let control = [0x21, 0xF9, 4, image.flags] + bytes(clock.ticks(next..<next + 1)) + [image.transparentIndex, 0]
            file.write(control)
            file.write(image.place + [0x80 | image.paletteFlags] + image.palette)
            file.write(image.pixels)
            next += 1
        }
        guard next == frames.upperBound else { throw damaged(path, "fewer") }
    }

    func finish() throws(MediaError) {
        file.write([0x3B])
        try file.finish()
    }

    private func writeComment(_ text: String) {
        file.write([0x21, 0xFE])
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            file.write([UInt8(min(255, rest.count))] + rest.prefix(255))
            rest = rest.dropFirst(255)
        }
        file.write([0])
    }

    private func damaged(_ path: String, _ count: String) -> MediaError {
        MediaError(.damaged, subject: path, message: "has \(count) images than its segment has frames")
    }
}

/// A number as two bytes, little endian.
private func bytes(_ number: Int) -> [UInt8] { [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)] }

/// The images of a GIF, one after the other.
private struct GIFImages {
    struct Image {
        /// The flags of its graphic control extension: the disposal, and whether an index is transparent.
        var flags: UInt8 = 0
        var transparentIndex: UInt8 = 0
        /// The image separator, its position and its size.
        var place: [UInt8] = []
        /// The flags of its descriptor that are kept: the palette's size, and whether rows are interlaced.
        var paletteFlags: UInt8 = 0
        var palette: [UInt8] = []
        /// The compressed pixels, in sub-blocks.
        var pixels: Data.SubSequence = Data()
    }

    private let data: Data
    private var place: Data.Index
    private let sharedPalette: (flags: UInt8, colors: [UInt8])

    init(_ data: Data) {
        self.data = data
        let flags = data.count > 13 ? data[data.startIndex + 10] : 0
        place = data.startIndex + 13
        sharedPalette = GIFImages.palette(flags, data, &place)
    }

    /// - Returns: nil at the end, and if the file ends too early.
    mutating func next() -> Image? {
        var image = Image()
        while place + 1 < data.endIndex {
            switch data[place] {
            case 0x21:
                if data[place + 1] == 0xF9, place + 6 < data.endIndex {
                    image.flags = data[place + 3]
                    image.transparentIndex = data[place + 6]
                }
                place += 2
                guard skipBlocks() else { return nil }
            case 0x2C:
                guard place + 10 < data.endIndex else { return nil }
                image.place = Array(data[place..<place + 9])
                let flags = data[place + 9]
                place += 10
                let own = GIFImages.palette(flags, data, &place)
                let palette = own.colors.isEmpty ? sharedPalette : own
                image.paletteFlags = flags & 0x40 | palette.flags & 7
                image.palette = palette.colors
                let start = place
                // The code size precedes the sub-blocks.
                place += 1
                guard skipBlocks() else { return nil }
                image.pixels = data[start..<place]
                return image
            default: return nil
            }
        }
        return nil
    }

    /// - Returns: whether the sub-blocks end within the file.
    private mutating func skipBlocks() -> Bool {
        while place < data.endIndex, data[place] > 0 { place += 1 + Int(data[place]) }
        place += 1
        return place <= data.endIndex
    }

    private static func palette(_ flags: UInt8, _ data: Data, _ place: inout Data.Index) -> (flags: UInt8, colors: [UInt8]) {
        let end = place + (flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0)
        guard end <= data.endIndex else { return (0, []) }
        defer { place = end }
        return (flags, Array(data[place..<end]))
    }
}
