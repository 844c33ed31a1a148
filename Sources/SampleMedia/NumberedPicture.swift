package import Media
import ExportPlan

/// A picture that shows its frame number to people and to programs: a coloured field with a moving disc, the number in
/// large digits, and the number again as a row of black and white blocks along the top edge.
package struct NumberedPicture: Sendable {
    /// The chroma of the field (Cb), as an 8-bit code value; `red` is Cr.
    package var blue: UInt8
    package var red: UInt8

    package init(blue: UInt8, red: UInt8) {
        self.blue = blue
        self.red = red
    }

    /// Draws frame `number` over all of `frame`.
    package func draw(_ number: Int, into frame: VideoFrame) {
        let luma = frame.plane(0)
        drawField(luma, frame.plane(1), frame.plane(2), number)
        drawDisc(luma, number)
        drawDigits(luma, number)
        NumberCode.draw(number, into: luma)
    }

    private func drawField(_ luma: Plane, _ chromaBlue: Plane, _ chromaRed: Plane, _ number: Int) {
        for y in 0..<luma.height {
            let row = luma.row(y)
            for x in 0..<luma.width { row[x] = UInt8(70 + 60 * y / luma.height + 40 * x / luma.width) }
        }
        for plane in [(chromaBlue, blue), (chromaRed, red)] {
            for y in 0..<plane.0.height { plane.0.row(y).update(repeating: plane.1, count: plane.0.width) }
        }
    }

    /// Draws a disc that moves from left to right and back once in 120 frames.
    private func drawDisc(_ luma: Plane, _ number: Int) {
        let radius = luma.height / 12
        let travel = luma.width - 2 * radius
        let phase = number % 120
        let x = radius + travel * (phase < 60 ? phase : 120 - phase) / 60
        let y = luma.height * 4 / 5
        for dy in -radius...radius {
            for dx in -radius...radius where dx * dx + dy * dy <= radius * radius {
                let (px, py) = (x + dx, y + dy)
                if px >= 0, px < luma.width, py >= 0, py < luma.height { luma.row(py)[px] = 210 }
            }
        }
    }

    private func drawDigits(_ luma: Plane, _ number: Int) {
        let digits = String(number).compactMap(\.wholeNumberValue)
        let dot = max(1, luma.height / 20)
        var left = (luma.width - digits.count * 6 * dot) / 2
        let top = (luma.height - 7 * dot) / 2
        for digit in digits {
            for (line, bits) in DigitFont.rows[digit].enumerated() {
                for column in 0..<5 where bits >> (4 - column) & 1 == 1 {
                    fill(luma, left + column * dot, top + line * dot, dot, dot, 235)
                }
            }
            left += 6 * dot
        }
    }
}

/// A frame number as 20 blocks, the highest bit on the left; white is 1. It can still be read after scaling, encoding
/// and mild colour changes.
package enum NumberCode {
    package static let bits = 20

    static func draw(_ number: Int, into luma: Plane) {
        let height = max(2, luma.height / 10)
        for bit in 0..<bits {
            let left = luma.width * bit / bits
            let right = luma.width * (bit + 1) / bits
            let value: UInt8 = number >> (bits - 1 - bit) & 1 == 1 ? 235 : 16
            fill(luma, left, 0, right - left, height, value)
        }
    }

    /// Reads the number back from the luma of a whole picture.
    package static func read(_ luma: Plane) -> Int {
        let y = max(1, luma.height / 10) / 2
        return (0..<bits).reduce(0) { number, bit in
            let centre = luma.width * (2 * bit + 1) / (2 * bits)
            return number << 1 | (luma.row(y)[centre] > 125 ? 1 : 0)
        }
    }
}

/// Digits of 5 by 7 dots, one byte per row.
private enum DigitFont {
    static let rows: [[UInt8]] = [
        [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
        [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
        [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
        [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ]
}

private func fill(_ plane: Plane, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ value: UInt8) {
    let columns = (x..<x + width).clamped(to: 0..<plane.width)
    for line in (y..<y + height).clamped(to: 0..<plane.height) where !columns.isEmpty {
        (plane.row(line) + columns.lowerBound).update(repeating: value, count: columns.count)
    }
}
