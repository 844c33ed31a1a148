import Compositor
import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary
import FoundationEssentials

/// Transitions with a name of FFmpeg's xfade, compared with the installed xfade.
///
/// xfade takes only full-resolution chroma. It receives each picture with its chroma repeated to full resolution, and
/// Spool has to draw the mean of each 2x2 block of its chroma.
@Suite(.serialized) struct XfadeTests {
    /// `dissolve` is xfade's `fade`, and `dissolveNoise` its `dissolve`; other names differ only in case. The draft
    /// format defines its own fade through black, and it puts the edges of wipes and slides up to a pixel away from
    /// xfade's.
    static let kinds = TransitionKind.builtIn.filter {
        $0 == .dissolve || !(ReferenceTransition.kinds + [.lumaMap]).contains($0)
    }
    static let otherNames: [TransitionKind: String] = [.dissolve: "fade", .dissolveNoise: "dissolve"]
    /// The number of frames of a transition. The tested ones are at p = 0, 1/4, 1/2 and at four less simple values.
    static let count = 16
    static let steps = [0, 1, 4, 7, 8, 12, 15]

    @Test(
        "A transition with an xfade name is within 2 of xfade on 99.9 % of samples", arguments: XfadeTests.kinds)
    func equalsXfade(_ kind: TransitionKind) async throws {
        let size = FrameSize(width: 192, height: 108)
        let (from, to) = (XfadeTests.outgoing(size), XfadeTests.incoming(size))
        let name = XfadeTests.otherNames[kind] ?? kind.rawValue.lowercased()
        let frames = try await xfade(name, from, to)
        let drawing = try makeTransitionDrawing(kind, size: size)
        var worst = 0
        var lowestShare = 1.0
        for step in XfadeTests.steps {
            let target = try VideoFrame(.yuv420, size)
            drawing.draw(
                try from.frame(), try to.frame(), TransitionProgress(step: step, count: XfadeTests.count), into: target)
            let differences = zip(PlanarPicture(target).bytes, frames[step].bytes).map { abs(Int($0) - Int($1)) }
            let share = Double(differences.count { $0 <= 2 }) / Double(differences.count)
            worst = max(worst, differences.max() ?? 0)
            lowestShare = min(lowestShare, share)
            #expect(share >= 0.999, "\(kind) at \(step)/\(XfadeTests.count): \(share), worst \(differences.max() ?? 0)")
        }
        print("xfade \(kind): worst difference \(worst), within 2 on at least \(lowestShare * 100) %")
    }

    /// The specification's table shows B where `x >= W(1-p)`, xfade where `x > W(1-p)`.
    @Test(
        "Wipes and slides are within 2 of xfade, except for one row or column at their edge",
        arguments: [
            TransitionKind.wipeLeft, .wipeRight, .wipeUp, .wipeDown, .slideLeft, .slideRight, .slideUp, .slideDown,
        ])
    func edgesOfStrips(_ kind: TransitionKind) async throws {
        let size = FrameSize(width: 1920, height: 1080)
        let (from, to) = (XfadeTests.outgoing(size), XfadeTests.incoming(size))
        let frames = try await xfade(kind.rawValue.lowercased(), from, to, count: 4)
        let drawing = try makeTransitionDrawing(kind, size: size)
        let isHorizontal = [.wipeLeft, .wipeRight, .slideLeft, .slideRight].contains(kind)
        var lowestShares = [1.0, 1.0]
        for step in 0..<4 {
            let target = try VideoFrame(.yuv420, size)
            drawing.draw(try from.frame(), try to.frame(), TransitionProgress(step: step, count: 4), into: target)
            let drawn = PlanarPicture(target)
            var (all, others) = (0, 0)
            for plane in 0..<3 {
                let width = drawn.width(plane)
                let (mine, theirs) = (drawn.planes[plane], frames[step].planes[plane])
                let places = mine.indices.filter { abs(Int(mine[$0]) - Int(theirs[$0])) > 2 }
                let lines = Set(places.map { isHorizontal ? $0 % width : $0 / width })
                #expect(lines.count <= 1, "\(kind) at \(step)/4: \(lines.sorted()) of plane \(plane)")
                all += mine.count
                others += places.count
                if plane == 0 { lowestShares[0] = min(lowestShares[0], 1 - Double(others) / Double(all)) }
            }
            lowestShares[1] = min(lowestShares[1], 1 - Double(others) / Double(all))
        }
        #expect(lowestShares[0] >= 0.999)
        print("xfade \(kind): within 2 on at least \(lowestShares[0] * 100) % of luma, \(lowestShares[1] * 100) % of all samples")
    }

    /// All frames of xfade's transition in 4:2:0.
    private func xfade(
        _ name: String, _ from: PlanarPicture, _ to: PlanarPicture, count: Int = XfadeTests.count
    ) async throws -> [PlanarPicture] {
        let directory = try TemporaryDirectory()
        let inputs = try [from, to].enumerated().flatMap { index, picture in
            let path = directory.file("\(index).raw")
            try Data([[UInt8]](repeating: picture.fullChroma, count: count).flatMap { $0 }).write(to: URL(fileURLWithPath: path))
            return ["-f", "rawvideo", "-pix_fmt", "yuv444p", "-s", "\(picture.size)", "-r", "\(count)", "-i", path]
        }
        let output = directory.file("out.raw")
        try await FFmpegTool.ffmpeg(
            inputs + [
                "-filter_complex", "[0:v][1:v]xfade=transition=\(name):duration=1:offset=0", "-f", "rawvideo", "-pix_fmt",
                "yuv444p", output,
            ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
        let frameSize = 3 * from.size.width * from.size.height
        #expect(bytes.count >= count * frameSize)
        return stride(from: 0, to: bytes.count, by: frameSize).map {
            PlanarPicture(fullChroma: Array(bytes[$0..<($0 + frameSize)]), size: from.size)
        }
    }

    /// A gradient from dark to bright with a bright disc.
    private static func outgoing(_ size: FrameSize) -> PlanarPicture {
        PlanarPicture(size) { x, y in
            let (across, down) = (x - size.width / 3, y - size.height / 2)
            if across * across + down * down < 900 { return (210, 90, 170) }
            return (30 + 150 * x / size.width, 60 + 120 * y / size.height, 200 - 130 * x / size.width)
        }
    }

    /// A gradient in the other direction with a dark bar and stripes.
    private static func incoming(_ size: FrameSize) -> PlanarPicture {
        PlanarPicture(size) { x, y in
            if (size.width / 2..<size.width * 5 / 8).contains(x) { return (40, 200, 80) }
            let stripe = y / 9 % 2 == 0 ? 25 : 0
            return (190 - 140 * y / size.height + stripe, 190 - 110 * x / size.width, 70 + 150 * y / size.height)
        }
    }
}

extension PlanarPicture {
    /// Makes a picture from a formula for luma and chroma at each full-resolution place. A chroma sample has the value
    /// of its upper left place.
    fileprivate init(_ size: FrameSize, _ color: (_ x: Int, _ y: Int) -> (Int, Int, Int)) {
        self.init(size: size, y: 0, u: 0, v: 0)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (luma, u, v) = color(x, y)
                planes[0][y * size.width + x] = UInt8(luma)
                planes[1][y / 2 * width(1) + x / 2] = UInt8(u)
                planes[2][y / 2 * width(2) + x / 2] = UInt8(v)
            }
        }
    }

    /// The same picture as raw 4:4:4 with each chroma sample repeated.
    fileprivate var fullChroma: [UInt8] {
        (0..<3).flatMap { plane in
            (0..<size.width * size.height).map { place in
                let (x, y) = (place % size.width, place / size.width)
                return planes[plane][plane == 0 ? place : y / 2 * width(plane) + x / 2]
            }
        }
    }

    /// Makes a picture from raw 4:4:4. A chroma sample is the mean of its four places.
    fileprivate init(fullChroma bytes: [UInt8], size: FrameSize) {
        self.init(size: size, y: 0, u: 0, v: 0)
        let area = size.width * size.height
        planes[0] = Array(bytes[0..<area])
        for plane in 1...2 {
            for y in 0..<height(plane) {
                for x in 0..<width(plane) {
                    let base = plane * area + 2 * y * size.width + 2 * x
                    let sum = [0, 1, size.width, size.width + 1].reduce(0) { $0 + Int(bytes[base + $1]) }
                    planes[plane][y * width(plane) + x] = UInt8((sum + 2) / 4)
                }
            }
        }
    }
}
