import ExportPlan
import Testing
import Glibc

/// SVG path data according to SVG 2 (section 9.3).
@Suite struct VectorPathTests {
    private typealias Point = VectorPath.Point

    private func read(_ text: String) throws -> [VectorPath.Element] { try VectorPath(svg: text).elements }

    @Test(
        "Absolute and relative commands draw the same",
        arguments: [
            ("M 10 20 L 30 40", "m10,20 l20,20"),
            ("M10 20H30V40Z", "m10 20h20v20z"),
            ("M1 1C2 3 4 5 6 7", "m1 1c1 2 3 4 5 6"),
            ("M1 1C2 3 4 5 6 7S9 9 10 12", "m1 1c1 2 3 4 5 6s3 2 4 5"),
            ("M1 1Q4 5 6 7T10 12", "m1 1q3 4 5 6t4 5"),
            ("M1 1A5 5 0 0 1 9 4", "m1 1a5 5 0 0 1 8 3"),
        ])
    func relative(_ absolute: String, _ relative: String) throws {
        #expect(try read(absolute) == read(relative))
    }

    @Test("Numbers need separators only where they would merge, and flags never do")
    func separators() throws {
        #expect(try read("M10-5.5.5 1e1") == read("M 10 -5.5 L .5 10"))
        #expect(try read("M0 0a5 5 0 018 3") == read("M0 0 a5,5,0,0,1,8,3"))
        #expect(try read("M0,0 1,1 2,2") == read("M0 0L1 1L2 2"))
        #expect(try read("m1 1 2 2") == read("M1 1L3 3"))
        #expect(try read(" \n") == [])
    }

    @Test("After a subpath is closed the next one starts where the closed one started")
    func closing() throws {
        #expect(try read("M5 5h10v10zl1 1").last == .line(to: Point(x: 6, y: 6)))
    }

    @Test("Smooth commands mirror the last control point, but only one of their own kind")
    func smooth() throws {
        #expect(
            try read("M0 0C0 5 5 10 10 10S20 5 20 0").last
                == .curve(first: Point(x: 15, y: 10), second: Point(x: 20, y: 5), to: Point(x: 20, y: 0)))
        #expect(
            try read("M0 0Q0 5 5 5S9 9 10 10").last
                == .curve(first: Point(x: 5, y: 5), second: Point(x: 9, y: 9), to: Point(x: 10, y: 10)))
    }

    /// The point of a cubic curve at a parameter.
    private func point(_ start: Point, _ element: VectorPath.Element, _ t: Double) -> Point {
        guard case .curve(let first, let second, let to) = element else { return start }
        func mix(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            let s = 1 - t
            return a * s * s * s + 3 * b * s * s * t + 3 * c * s * t * t + d * t * t * t
        }
        return Point(x: mix(start.x, first.x, second.x, to.x), y: mix(start.y, first.y, second.y, to.y))
    }

    @Test("An arc lies on its ellipse, on the side that its flags select", arguments: [0, 1, 2, 3])
    func arcs(_ flags: Int) throws {
        let (isLarge, isSweep) = (flags & 1, flags >> 1)
        // Radius 5 through (0, 0) and (6, 0): the centre is (3, 4) or (3, -4).
        let elements = try read("M0 0A5 5 0 \(isLarge) \(isSweep) 6 0")
        let center = Point(x: 3, y: isLarge == isSweep ? -4 : 4)
        var start = Point(x: 0, y: 0)
        var length = 0.0
        for element in elements.dropFirst() {
            for step in 1...20 {
                let (a, b) = (point(start, element, Double(step - 1) / 20), point(start, element, Double(step) / 20))
                #expect(abs(hypot(b.x - center.x, b.y - center.y) - 5) < 0.005)
                length += hypot(b.x - a.x, b.y - a.y)
            }
            start = point(start, element, 1)
        }
        let angle = 2 * asin(0.6)
        #expect(abs(length - 5 * (isLarge == 1 ? 2 * Double.pi - angle : angle)) < 0.05)
        #expect(start == Point(x: 6, y: 0))
    }

    @Test("Radii that are too small grow, and a radius of zero gives a line")
    func radii() throws {
        #expect(try read("M0 0A1 1 0 0 1 10 0") == read("M0 0A5 5 0 0 1 10 0"))
        #expect(try read("M0 0A0 5 0 0 1 10 0") == read("M0 0L10 0"))
        #expect(try read("M0 0A5 5 0 0 1 0 0") == read("M0 0"))
    }

    @Test(
        "Errors say what is wrong and at which byte",
        arguments: [
            ("M10", "a number is missing at byte 3, at the end"),
            ("M10 20 L x", "a number is missing at byte 9, before 'x'"),
            ("M10 20 B 3", "a command is missing at byte 7, before 'B 3'"),
            ("L10 20", "does not begin with M or m"),
            ("M0 0Z5 5", "a command is missing at byte 5, before '5 5'"),
            ("M0 0A5 5 0 2 1 8 3", "is not a path: an arc's flag, 0 or 1, is missing at byte 11"),
            ("M0 1e99", "a number is too large at byte 3"),
        ])
    func errors(_ text: String, _ message: String) throws {
        let error = #expect(throws: VectorPathError.self) { try VectorPath(svg: text) }
        #expect(error?.failureClass == .input)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
