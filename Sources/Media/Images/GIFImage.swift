import ExportPlan

/// The structure of one packet of libav's GIF demuxer: extensions, then one image (GIF89a specification, sections 20
/// and 23).
struct GIFImage {
    /// How the image is removed from the canvas before the next one is drawn.
    enum Disposal { case keep, clear, restore }

    /// The image's position on the canvas, beyond which it may extend, in pixels.
    let left: Int
    let top: Int
    let size: FrameSize
    let disposal: Disposal
    /// The palette index that is transparent, or nil.
    let transparentIndex: UInt8?
    /// The image's data from its packed field on: flags, palette and compressed pixels.
    private let body: ArraySlice<UInt8>

    /// - Parameter header: the number of bytes of the `GIFHeader` at the start of the same packet; 0 if there is none.
    /// - Returns: nil if the packet contains no image.
    init?(_ bytes: [UInt8], after header: Int) {
        var place = header
        var disposal = Disposal.keep
        var transparentIndex: UInt8?
        while place + 1 < bytes.count {
            switch bytes[place] {
            case 0x21:
                if bytes[place + 1] == 0xF9, place + 6 < bytes.count, bytes[place + 2] == 4 {
                    let flags = bytes[place + 3]
                    disposal = flags >> 2 & 7 == 2 ? .clear : flags >> 2 & 7 == 3 ? .restore : .keep
                    transparentIndex = flags & 1 != 0 ? bytes[place + 6] : nil
                }
                place += 2
                while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
                place += 1
            case 0x2C where place + 10 < bytes.count:
                func word(_ offset: Int) -> Int { Int(bytes[place + offset]) | Int(bytes[place + offset + 1]) << 8 }
                left = word(1)
                top = word(3)
                size = FrameSize(width: word(5), height: word(7))
                self.disposal = disposal
                self.transparentIndex = transparentIndex
                body = bytes[(place + 9)...]
                return
            default:
                place += 1
            }
        }
        return nil
    }

    /// The image as a GIF file of its own size. A decoder that knows no earlier image decodes only the pixels of this
    /// one.
    func alone(_ header: GIFHeader) -> [UInt8] {
        let sides = [size.width & 255, size.width >> 8, size.height & 255, size.height >> 8].map { UInt8($0) }
        var file = Array("GIF89a".utf8) + sides + [header.flags, 0, 0] + header.palette
        file += [0x21, 0xF9, 4, transparentIndex == nil ? 0 : 1, 0, 0, transparentIndex ?? 0, 0]
        return file + [0x2C, 0, 0, 0, 0] + sides + body
    }
}

/// The header of a GIF, which stands once at its beginning and on which all images depend.
struct GIFHeader {
    let flags: UInt8
    let palette: ArraySlice<UInt8>
    let byteCount: Int

    /// - Returns: nil if the bytes do not begin with a GIF header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 13, bytes.prefix(3).elementsEqual("GIF".utf8) else { return nil }
        flags = bytes[10]
        let colors = flags & 0x80 != 0 ? 3 << (Int(flags & 7) + 1) : 0
        guard bytes.count >= 13 + colors else { return nil }
        palette = bytes[13..<13 + colors]
        byteCount = 13 + colors
    }
}
