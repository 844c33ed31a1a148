import ExactTime
import ExportPlan
import Operations
import TestSupport
import Testing

/// Operations that move by themselves: their visible effect, and that they depend on the seconds of their own clip.
@Suite struct MovingTests {
    private static let names = ["shake", "soulOut", "glitch", "hazy", "ghost"]
    private let picture = PixelPicture.colorful(FrameSize(width: 96, height: 54))

    @Test("The same second gives the same picture at every frame rate", arguments: names)
    func frameRates(_ name: String) throws {
        for (seconds, rates) in [(1, [1, 24, 25, 60]), (3, [1, 30, 50])] {
            let pictures = try rates.map {
                try picture.applying([.constant(name)], frame: seconds * $0, of: FrameRate($0))
            }
            for other in pictures { #expect(other == pictures[0], "second \(seconds)") }
        }
    }

    @Test("An operation that starts later makes the same movement later", arguments: names + ["grain"])
    func begins(_ name: String) throws {
        var later = ExportPlan.Operation.constant(name)
        later.start = MediaTime(Rational(7, 25))
        for frame in [7, 8, 20, 31] {
            let wanted = try picture.applying([.constant(name)], frame: frame - 7, of: FrameRate(25))
            #expect(try picture.applying([later], frame: frame, of: FrameRate(25)) == wanted)
            #expect(
                try picture.applying([later.shifted(by: MediaTime(seconds: -1))], frame: frame - 25, of: FrameRate(25)) == wanted)
        }
    }

    @Test("Moving operations change: hardly two frames of a second are equal", arguments: names + ["grain"])
    func moves(_ name: String) throws {
        let frames = try (0..<25).map { try picture.applying([.constant(name)], frame: $0, of: FrameRate(25)).bytes }
        // The glitch changes ten times a second. Operations that go back and forth pass each place twice.
        #expect(Set(frames).count >= (name == "glitch" ? 9 : 12))
    }

    /// A white rectangle on black.
    private func bar(_ size: FrameSize, _ columns: Range<Int>, _ rows: Range<Int>) -> PixelPicture {
        var picture = PixelPicture(size: size, channels: 3, bytes: [])
        for y in 0..<size.height {
            for x in 0..<size.width {
                let code: UInt8 = columns.contains(x) && rows.contains(y) ? 255 : 0
                picture.bytes += [code, code, code]
            }
        }
        return picture
    }

    @Test("The copy of soulOut begins on the picture, grows and fades")
    func soulOut() throws {
        let square = bar(FrameSize(width: 120, height: 120), 45..<75, 45..<75)
        let soul = ExportPlan.Operation.constant("soulOut", ["amount": 0.5, "scale": 3, "period": 2])
        #expect(try square.applying([soul], frame: 0, of: FrameRate(20)) == square)
        var (lastReach, lastLight) = (15, 256)
        for frame in [8, 16, 24, 32] {
            let found = try square.applying([soul], frame: frame, of: FrameRate(20))
            let phase = Double(frame) / 40
            let row = (60..<120).map { Int(found.bytes[(60 * 120 + $0) * 3]) }
            #expect(row[..<14].allSatisfy { $0 == 255 }, "the picture itself is still there")
            let reach = row.lastIndex { $0 > 2 } ?? 0
            let light = row[17]
            let (wantedReach, wantedLight) = (15 * (1 + 2 * phase), 127.5 * (1 - phase))
            #expect(abs(Double(reach + 1) - wantedReach) <= 2)
            #expect(abs(Double(light) - wantedLight) <= 2)
            #expect(reach > lastReach && light < lastLight)
            (lastReach, lastLight) = (reach, light)
        }
        #expect(try square.applying([soul], frame: 48, of: FrameRate(20)) == square.applying([soul], frame: 8, of: FrameRate(20)))
    }

    @Test("A shaken picture is enlarged, never shows an edge, and stays within its reach")
    func shake() throws {
        // The picture encodes its own coordinates: red is the column, green the row.
        let size = FrameSize(width: 200, height: 160)
        var map = PixelPicture(size: size, channels: 3, bytes: [])
        for y in 0..<160 { for x in 0..<200 { map.bytes += [UInt8(x), UInt8(y), 0] } }
        var places: Set<[UInt8]> = []
        for frame in 0..<50 {
            let found = try map.applying([.constant("shake", ["amount": 0.1])], frame: frame, of: FrameRate(25))
            let middle = (80 * 200 + 100) * 3
            let (x, y) = (Double(found.bytes[middle]), Double(found.bytes[middle + 1]))
            // The picture moves by up to a tenth of its size to each side and is enlarged by 1.2.
            #expect(abs(x - 100) <= 17.7 && abs(y - 80) <= 14.4)
            places.insert([found.bytes[middle], found.bytes[middle + 1]])
            // Along a row the column rises by 1 / 1.2 per pixel from end to end, so no pixel is repeated at the edges.
            let (first, last) = (Double(found.bytes[80 * 200 * 3]), Double(found.bytes[(80 * 200 + 199) * 3]))
            #expect(abs(last - first - 165.8) <= 2, "frame \(frame)")
        }
        #expect(places.count > 30)
    }

    @Test("A glitch shifts whole rows, and red against blue")
    func glitch() throws {
        let size = FrameSize(width: 240, height: 96)
        var map = PixelPicture(size: size, channels: 3, bytes: [])
        for _ in 0..<96 { for x in 0..<240 { map.bytes += [UInt8(x), UInt8(x), UInt8(x)] } }
        var (torn, split) = (0, 0)
        for frame in 0..<20 {
            let found = try map.applying([.constant("glitch", ["amount": 1])], frame: frame, of: FrameRate(10))
            for y in 0..<96 {
                let place = (y * 240 + 120) * 3
                let (r, g, b) = (Int(found.bytes[place]), Int(found.bytes[place + 1]), Int(found.bytes[place + 2]))
                #expect(abs(g - 120) <= 36 && abs(r - g) <= 8 && r - g == g - b)
                if g != 120 { torn += 1 }
                if r != g { split += 1 }
            }
        }
        #expect((192...960).contains(torn), "a third of the bands or so: \(torn) of 1920 rows")
        #expect(split > 1200)
    }

    @Test("Haze lightens, most next to bright areas, and pulsates, and distant black stays black")
    func hazy() throws {
        let half = bar(FrameSize(width: 200, height: 100), 100..<200, 0..<100)
        func light(_ frame: Int, _ x: Int) throws -> Int {
            let found = try half.applying([.constant("hazy", ["amount": 1])], frame: frame, of: FrameRate(10))
            return Int(found.bytes[(50 * 200 + x) * 3])
        }
        // The period is three seconds: weakest at its ends and strongest in its middle.
        let (weak, strong) = (try light(0, 99), try light(15, 99))
        #expect(weak > 40 && strong > weak * 3 / 2 && strong < 128)
        #expect(try light(15, 80) == 0)
        #expect(try light(30, 99) == weak)
    }

    @Test("Ghosts leave flat grey unchanged, and the warm and the cool side of an edge alternate")
    func ghost() throws {
        let size = FrameSize(width: 200, height: 100)
        let flat = PixelPicture(size: size, channels: 3, bytes: [UInt8](repeating: 130, count: 200 * 100 * 3))
        #expect(try flat.applying([.constant("ghost")], frame: 7, of: FrameRate(10)) == flat)
        let bar = bar(size, 90..<110, 0..<100)
        func sides(_ frame: Int) throws -> (left: Int, right: Int) {
            let found = try bar.applying([.constant("ghost", ["distance": 0.1])], frame: frame, of: FrameRate(10))
            func warmth(_ x: Int) -> Int {
                let place = (50 * 200 + x) * 3
                return Int(found.bytes[place]) - Int(found.bytes[place + 2])
            }
            return (warmth(86), warmth(113))
        }
        let (start, half) = (try sides(0), try sides(10))
        #expect(start.left > 60 && start.right < -60)
        #expect(half.left < -60 && half.right > 60)
    }

    @Test("With alpha they move the outline, too, and invisible pixels lend no colour", arguments: names)
    func alpha(_ name: String) throws {
        // White where the picture is opaque, green where it is transparent.
        let size = FrameSize(width: 64, height: 64)
        var disc = PixelPicture(size: size, channels: 4, bytes: [])
        disc.bytes = (0..<4096).flatMap { index -> [UInt8] in
            let (x, y) = (index % 64 - 32, index / 64 - 32)
            return x * x + y * y < 400 ? [255, 255, 255, 255] : [0, 255, 0, 0]
        }
        for frame in [3, 11, 17] {
            let found = try disc.applying([.constant(name)], frame: frame, of: FrameRate(10))
            for place in stride(from: 0, to: found.bytes.count, by: 4) where found.bytes[place + 3] > 0 {
                let (r, g, b) = (Int(found.bytes[place]), Int(found.bytes[place + 1]), Int(found.bytes[place + 2]))
                // Where the colours are shifted apart there are warm and cool edges, but no green ones.
                #expect(g <= max(r, b) + 2, "\(r) \(g) \(b)")
            }
        }
    }
}
