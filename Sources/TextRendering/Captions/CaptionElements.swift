import CAss
import ExportPlan

/// The elements that libass's bitmaps stand for: letters, emoji, and clips.
struct CaptionElements {
    enum Content {
        case bitmap(ASS_Image)
        case emoji(CaptionEmoji.Placed)

        /// The left, top, right and bottom edges in the frame.
        var edges: (Int, Int, Int, Int) {
            switch self {
            case .bitmap(let image):
                (Int(image.dst_x), Int(image.dst_y), Int(image.dst_x + image.w), Int(image.dst_y + image.h))
            case .emoji(let emoji): (emoji.x, emoji.y, emoji.x + emoji.picture.width, emoji.y + emoji.picture.height)
            }
        }
    }

    /// The elements from bottom to top.
    private(set) var elements: [(content: Content, clip: ClipMask?)] = []
    private let emoji: CaptionEmoji
    private let frame: EdgeBox
    /// The clip of the event whose bitmaps are being read.
    private var clip: ClipMask?
    /// The dots found so far of the emoji that is being read.
    private var lattice: DetectedMarkerGrid?

    /// - Throws: `TextRenderingError` where an emoji cannot be drawn.
    init(_ images: UnsafeMutablePointer<ASS_Image>?, _ emoji: CaptionEmoji, frame: FrameSize) throws(TextRenderingError) {
        self.emoji = emoji
        self.frame = EdgeBox(left: 0, top: 0, right: frame.width, bottom: frame.height)
        var next = images
        while let image = next?.pointee {
            if image.w > 0, image.h > 0 { try take(image) }
            next = image.next
        }
        try finishLattice()
    }

    private mutating func take(_ image: ASS_Image) throws(TextRenderingError) {
        let meaning = emoji.meaning(of: image)
        if case .dot(let index, let mark) = meaning {
            // The invisible rectangle after the dots has the same colour as the last dot.
            guard image.color & 255 < 255 else { return }
            if lattice.map({ $0.mark != mark || $0.lastIndex > index }) ?? true {
                try finishLattice()
                lattice = DetectedMarkerGrid(mark: mark)
            }
            let bounds = bounds
            lattice?.add(index, image, within: bounds)
            return
        }
        try finishLattice()
        switch meaning {
        case .clip(.ends): clip = nil
        case .clip(let sign):
            if let sheets = sign.sheets { clip = ClipMask(sheets, frame) } else { clip?.add(image, sign) }
        case .rectangle:
            elements.append((try emoji.placed(image).map { .emoji($0) } ?? .bitmap(image), clip))
        case .dot, nil:
            elements.append((.bitmap(image), clip))
        }
    }

    private mutating func finishLattice() throws(TextRenderingError) {
        guard let found = lattice else { return }
        lattice = nil
        if let placed = try emoji.placed(found, within: frame) { elements.append((.emoji(placed), clip)) }
    }

    /// The area in which libass draws dots of the event: a scrolling strip cuts them off.
    private var bounds: EdgeBox { clip?.strip ?? frame }
}

/// How much of each pixel of an event is seen.
struct ClipMask {
    private let box: EdgeBox
    /// The sheets that have to cover a pixel so that it is seen. A sheet that libass does not draw covers no pixel.
    private let sheets: [EventClip.Sign]
    private var shares: [[UInt8]]
    /// The strip in which a scrolling event is seen.
    private(set) var strip: EdgeBox?

    init(_ sheets: [EventClip.Sign], _ box: EdgeBox) {
        self.sheets = sheets
        self.box = box
        shares = sheets.map { _ in [UInt8](repeating: 0, count: (box.right - box.left) * (box.bottom - box.top)) }
        if sheets.contains(.scroll) { strip = EdgeBox(left: 0, top: 0, right: 0, bottom: 0) }
    }

    mutating func add(_ image: ASS_Image, _ sign: EventClip.Sign) {
        guard let place = sheets.firstIndex(of: sign), let bitmap = image.bitmap else { return }
        let (left, top) = (Int(image.dst_x), Int(image.dst_y))
        let columns = max(0, left)..<max(max(0, left), min(box.right, left + Int(image.w)))
        for y in max(0, top)..<max(max(0, top), min(box.bottom, top + Int(image.h))) {
            let row = bitmap + (y - top) * Int(image.stride) - left
            for x in columns { shares[place][y * box.right + x] = max(shares[place][y * box.right + x], row[x]) }
        }
        if sign == .scroll {
            strip = EdgeBox(left: left, top: top, right: left + Int(image.w), bottom: top + Int(image.h))
        }
    }

    /// The share of a pixel that is seen, 0...255.
    func share(_ x: Int, _ y: Int) -> UInt8 {
        shares.reduce(255) { UInt8(UInt32($0) * UInt32($1[y * box.right + x]) / 255) }
    }
}
