import ExportPlan
import Operations
import Testing

/// `.cube` files are read according to Adobe's specification, and refused with the line number.
@Suite struct CubeFileTests {
    private static let corners = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }.joined(separator: "\n")

    private func table(_ text: String) throws -> LookupTable { try CubeFile.table(from: text.utf8, subject: "a.cube") }

    @Test("Comments, titles, blank lines, tabs and all line endings are accepted")
    func forms() throws {
        let plain = try table("LUT_3D_SIZE 2\n\(CubeFileTests.corners)\n")
        let rich =
            "# made by hand\nTITLE \"LUT_3D_SIZE 9\"\n\n  LUT_3D_SIZE\t2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1.0 1 1e0\n"
            + CubeFileTests.corners + "\n# end\n"
        #expect(try table(rich) == plain)
        #expect(try table(rich.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")) == plain)
        #expect(try table(rich.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r")) == plain)
        #expect(try table("LUT_3D_SIZE 2\n" + CubeFileTests.corners) == plain)
        #expect(plain.points == 2 && plain.shape == .cube)
        #expect(try table("LUT_1D_SIZE 3\n0 0 0\n.5 .5 .5\n+1 1 1").shape == .curves)
    }

    @Test("Tables of the largest sizes are read, and one point more is refused")
    func sizes() throws {
        let (cube, curve) = (CubeFile.cubeSizes.upperBound, CubeFile.curveSizes.upperBound)
        for (keyword, points, count) in [("LUT_3D_SIZE", cube, cube * cube * cube), ("LUT_1D_SIZE", curve, curve)] {
            let colors = String(repeating: "0 .5 1\n", count: count)
            #expect(try table("\(keyword) \(points)\n\(colors)").points == points)
            let error = #expect(throws: OperationError.self) { try table("\(keyword) \(points + 1)\n\(colors)") }
            #expect(error?.message.contains("2 to \(points)") == true, "\(error?.message ?? "")")
        }
    }

    @Test(
        "A damaged file is refused with its line number",
        arguments: [
            ("", "line 0: the file ends without LUT_1D_SIZE or LUT_3D_SIZE"),
            ("0 0 0\n", "line 1: colours come before LUT_1D_SIZE or LUT_3D_SIZE"),
            ("LUT_3D_SIZE 1\n", "line 1: LUT_3D_SIZE takes one whole number, 2 to 129"),
            ("\nLUT_3D_SIZE 130\n", "line 2: LUT_3D_SIZE takes one whole number, 2 to 129"),
            ("LUT_1D_SIZE 65537\n", "line 1: LUT_1D_SIZE takes one whole number, 2 to 65536"),
            ("LUT_1D_SIZE 2\nLUT_1D_SIZE 2\n", "line 2: a second LUT_1D_SIZE"),
            (
                "LUT_1D_SIZE 2\n0 0 0\nLUT_3D_SIZE 2\n",
                "line 3: LUT_3D_SIZE stands among the colours; it has to stand before them"
            ),
            ("LUT_3D_SIZE 2\n0 0 0\nLUT_1D_SIZE 2\n", "line 3: LUT_1D_SIZE has to stand before all colours"),
            ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n", "line 4: the file ends after 2 of 10 colours"),
            (
                "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 1 0\n0 0 0\n1 1 1\n",
                "line 4: the first number of LUT_1D_INPUT_RANGE is not below the second"
            ),
            ("LUT_1D_SIZE 2\n0 0 0\n1 1\n", "line 3: 3 numbers belong here, not '1 1'"),
            ("LUT_1D_SIZE 2\n0 0 0\n1 nan 1\n", "line 3: 'nan"),
            ("LUT_1D_SIZE 2\n0 0 0\n1 1 x\n", "line 3: 3 numbers belong here, not '1 1 x'"),
            ("LUT_1D_SIZE 2\n0 0 0\n", "line 2: the file ends after 1 of 2 colours"),
            ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n", "line 4: there are more colours than the 2 that the size makes"),
            ("LUT_1D_SIZE 2\nDOMAIN_MAX 0 1 1\n0 0 0\n1 1 1\n", "line 4: DOMAIN_MIN is not below DOMAIN_MAX"),
            ("{\"lut\": 1}\n", "line 1: '{\"lut\":' is not a keyword of a .cube file"),
        ])
    func damaged(_ text: String, _ message: String) {
        do {
            _ = try table(text)
            Issue.record("was read: \(text)")
        } catch let error as OperationError {
            #expect(error.code == .malformedTable && error.failureClass == .input)
            #expect(error.message.hasPrefix(message) || text.contains("nan"), "\(error.message)")
        } catch {
            Issue.record(error)
        }
    }

    @Test("A domain that does not start at zero places the table there, and intensity mixes")
    func domain() throws {
        let text = "LUT_1D_SIZE 3\nDOMAIN_MIN 0.25 0.25 0.25\nDOMAIN_MAX 0.75 0.75 0.75\n0 1 0.5\n0.2 0.5 0.5\n1 0 0.5\n"
        let picture = PixelPicture.colorful()
        for intensity in [1, 0.4] {
            let found = try picture.applying(
                [.constant("lut", ["intensity": intensity], source: "t")], tables: ["t": table(text)])
            let expected = picture.mapped { _, _, color in
                var result = color
                for (channel, curve) in [[0, 0.2, 1], [1, 0.5, 0], [0.5, 0.5, 0.5]].enumerated() {
                    let place = min(2, max(0, (color[channel] - 0.25) / 0.5 * 2))
                    let below = min(1, Int(place))
                    let value = curve[below] + (curve[below + 1] - curve[below]) * (place - Double(below))
                    result[channel] += (value - color[channel]) * intensity
                }
                return result
            }
            #expect(found.largestDifference(from: expected) <= 1)
        }
    }
}
