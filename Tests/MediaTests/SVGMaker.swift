import TestSupport
import FoundationEssentials

/// SVG documents for tests, and how librsvg's own command line tool draws them.
enum SVGMaker {
    static func document(_ attributes: String, _ body: String) -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>\(body)</svg>"
    }

    /// Documents of different kinds, each with the size that it is drawn in by default.
    static let documents: [(name: String, text: String, width: Int, height: Int)] = [
        (
            "gradients",
            document(
                "width='160' height='90'",
                """
                <defs><linearGradient id='a' x1='0' x2='1' y1='0' y2='1'><stop offset='0' stop-color='#ff2000'/>
                <stop offset='.6' stop-color='#00c0ff'/><stop offset='1' stop-color='#102040' stop-opacity='.3'/></linearGradient>
                <radialGradient id='b'><stop offset='0' stop-color='white'/><stop offset='1' stop-color='green' stop-opacity='0'/>
                </radialGradient></defs><rect width='160' height='90' fill='url(#a)'/><circle cx='80' cy='45' r='40' fill='url(#b)'/>
                """), 160, 90
        ),
        (
            "strokes",
            document(
                "width='120' height='80'",
                """
                <path d='M10 70 C 30 -20 60 120 110 10' fill='none' stroke='#803090' stroke-width='7.5' stroke-linecap='round'
                stroke-dasharray='14 9'/><polygon points='60,5 70,40 40,60' fill='#ffd000' stroke='black' stroke-linejoin='bevel'/>
                """), 120, 80
        ),
        (
            "alpha",
            document(
                "width='64' height='64'",
                """
                <g opacity='.5'><rect x='4' y='4' width='40' height='40' fill='#c01818'/><rect x='20' y='20' width='40' height='40'
                fill='#1818c0' fill-opacity='.7'/></g><circle cx='32' cy='32' r='9' fill='white' opacity='.04'/>
                """), 64, 64
        ),
        (
            "clip",
            document(
                "width='100' height='70'",
                """
                <defs><clipPath id='c'><circle cx='35' cy='35' r='30'/></clipPath><mask id='m'><rect width='100' height='70'
                fill='gray'/></mask><filter id='f'><feGaussianBlur stdDeviation='3'/></filter></defs><rect width='100' height='70'
                fill='teal' clip-path='url(#c)'/><rect x='50' y='10' width='45' height='50' fill='orange' mask='url(#m)'/>
                <rect x='60' y='20' width='20' height='20' filter='url(#f)'/>
                """), 100, 70
        ),
        (
            "text",
            document(
                "width='180' height='60'",
                "<text x='8' y='40' font-family='DejaVu Sans' font-size='34' fill='#204060'>Sprocket</text>"), 180, 60
        ),
        (
            "viewBox",
            document(
                "width='150' height='60' viewBox='0 0 20 20' preserveAspectRatio='xMaxYMid meet'",
                "<circle cx='10' cy='10' r='9' fill='purple'/><path d='M2 10 h16' stroke='white' stroke-width='2'/>"), 150, 60
        ),
        (
            "only viewBox",
            document("viewBox='-10 -5 90 45'", "<rect x='-10' y='-5' width='50' height='20' fill='red'/>"), 90, 45
        ),
        (
            "in inches",
            document("width='1in' height='.5in'", "<rect width='48' height='48' fill='#336699'/>"), 96, 48
        ),
    ]

    @discardableResult
    static func write(_ text: String, _ name: String, in directory: TemporaryDirectory) throws -> String {
        let path = directory.file(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// What `rsvg-convert` draws, as RGBA rows with straight alpha.
    static func witness(_ path: String, width: Int, height: Int, in directory: TemporaryDirectory) async throws -> [UInt8] {
        let (png, raw) = (directory.file("witness.png"), directory.file("witness.rgba"))
        let outcome = try await ShellTool.run("rsvg-convert -w \(width) -h \(height) '\(path)' -o '\(png)'")
        guard outcome.status == 0 else { throw FFmpegTool.Failure(description: outcome.errors) }
        try await FFmpegTool.ffmpeg(["-i", png, "-f", "rawvideo", "-pix_fmt", "rgba", raw])
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
    }

    /// The greatest difference of two pictures with straight alpha. Colours count as much as their pixels are covered.
    static func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
        guard one.count == other.count else { return 256 }
        var worst = 0
        for pixel in stride(from: 0, to: one.count, by: 4) {
            worst = max(worst, abs(Int(one[pixel + 3]) - Int(other[pixel + 3])))
            for channel in pixel..<pixel + 3 {
                let values = (Int(one[channel]) * Int(one[pixel + 3]), Int(other[channel]) * Int(other[pixel + 3]))
                worst = max(worst, (abs(values.0 - values.1) + 254) / 255)
            }
        }
        return worst
    }
}
