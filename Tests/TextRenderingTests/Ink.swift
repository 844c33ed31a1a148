import ExportPlan
import TextRendering

/// Measures the visible parts of a picture.
struct Ink {
    /// The first and last columns and rows with alpha above a threshold, counted from the box's corner; nil where the
    /// picture is empty.
    var columns: ClosedRange<Int>?
    var rows: ClosedRange<Int>?
    /// The sum of all alpha values, in units of an opaque pixel.
    var area = 0.0

    init(_ picture: DrawnPicture, above threshold: UInt8 = 0) {
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let alpha = picture.alpha(x, y)
                area += Double(alpha) / 255
                guard alpha > threshold else { continue }
                let (column, row) = (x - picture.origin.x, y - picture.origin.y)
                columns = Ink.extended(columns, to: column)
                rows = Ink.extended(rows, to: row)
            }
        }
    }

    var width: Int { columns?.count ?? 0 }
    var height: Int { rows?.count ?? 0 }

    private static func extended(_ range: ClosedRange<Int>?, to value: Int) -> ClosedRange<Int> {
        guard let range else { return value...value }
        return min(range.lowerBound, value)...max(range.upperBound, value)
    }
}

extension DrawnPicture {
    func alpha(_ x: Int, _ y: Int) -> UInt8 { pixels[(y * width + x) * 4 + 3] }

    /// The four bytes of a pixel at a position counted from the box's corner; transparent outside.
    func color(fromBox x: Int, _ y: Int) -> [UInt8] {
        let (column, row) = (x + origin.x, y + origin.y)
        guard column >= 0, row >= 0, column < width, row < height else { return [0, 0, 0, 0] }
        let start = (row * width + column) * 4
        return Array(pixels[start..<(start + 4)])
    }

    /// Another picture drawn over this one, both at their positions.
    func covered(by other: DrawnPicture) -> DrawnPicture {
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                let over = other.color(fromBox: x - origin.x, y - origin.y).map { Int($0) }
                for channel in 0..<4 {
                    let place = (y * width + x) * 4 + channel
                    let under = Int(result.pixels[place])
                    result.pixels[place] = UInt8(min(255, over[channel] + (under * (255 - over[3]) + 127) / 255))
                }
            }
        }
        return result
    }
}

extension RGBAColor {
    static let white = RGBAColor(red: 255, green: 255, blue: 255, alpha: 255)
    static let red = RGBAColor(red: 255, green: 0, blue: 0, alpha: 255)
    static let blue = RGBAColor(red: 0, green: 0, blue: 255, alpha: 255)
}
