import ExportPlan

/// Reads `.cube` files (Adobe's Cube LUT Specification 1.0): `LUT_1D_SIZE` or `LUT_3D_SIZE`, `DOMAIN_MIN`,
/// `DOMAIN_MAX`, `TITLE`, comments, and any line ending. It also reads Resolve's `LUT_1D_INPUT_RANGE` and
/// `LUT_3D_INPUT_RANGE`, and Resolve's files with both sizes: their curves (the shaper) come first in the file and are
/// applied before the cube.
///
/// The domain limits the input values; output values are used as they are. In a file with both tables, `DOMAIN_MIN` and
/// `DOMAIN_MAX` apply to the curves.
package enum CubeFile {
    /// Points along an axis of a cube and of a curve. The specification allows cubes of up to 256 points, which would
    /// take too much memory.
    package static let cubeSizes = 2...129
    package static let curveSizes = 2...65_536

    /// Whether a text that begins like this is meant to be a `.cube` file: one of the format's keywords begins a line.
    package static func isBegun(by text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let keyword = line.drop { $0 == " " || $0 == "\t" }.prefix { !$0.isWhitespace }
            return keywords.contains(String(keyword))
        }
    }

    /// The keywords with which no other kind of file begins a line.
    private static let keywords: Set<String> = [
        "LUT_1D_SIZE", "LUT_3D_SIZE", "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE", "DOMAIN_MIN", "DOMAIN_MAX",
    ]

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - subject: the file's name, for messages.
    /// - Throws: `malformedTable` with the line number.
    package static func table(from bytes: some Collection<UInt8>, subject: String) throws(OperationError) -> LookupTable {
        var reading = CubeReading(subject: subject)
        var number = 0
        // Lines end in LF, CRLF or CR.
        var line: [UInt8] = []
        var endedInReturn = false
        for byte in bytes {
            if byte == 10, endedInReturn {
                endedInReturn = false
                continue
            }
            endedInReturn = byte == 13
            if byte == 10 || byte == 13 {
                number += 1
                try reading.take(line, number)
                line.removeAll(keepingCapacity: true)
            } else {
                line.append(byte)
            }
        }
        try reading.take(line, number + 1)
        return try reading.finished(number)
    }

    /// What the lines read so far have defined.
    private struct CubeReading {
        let subject: String
        private var curves = TableHeader(keyword: "LUT_1D_SIZE", sizes: CubeFile.curveSizes)
        private var cube = TableHeader(keyword: "LUT_3D_SIZE", sizes: CubeFile.cubeSizes)
        private var low: SIMD3<Float>?
        private var high: SIMD3<Float>?
        /// The colours of the curves, followed by those of the cube.
        private var colors: [SIMD3<Float>] = []

        init(subject: String) {
            self.subject = subject
        }

        private var curveCount: Int { curves.points ?? 0 }
        private var expected: Int { curveCount + (cube.points.map { $0 * $0 * $0 } ?? 0) }

        private func fault(_ line: Int, _ message: String) -> OperationError {
            OperationError(.malformedTable, subject: subject, message: "line \(line): \(message)")
        }

        mutating func take(_ line: [UInt8], _ number: Int) throws(OperationError) {
            let words = line.split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }
            guard let keyword = words.first, !keyword.hasPrefix("#") else { return }
            switch keyword {
            case "TITLE": return
            case curves.keyword:
                guard colors.isEmpty else { throw fault(number, "LUT_1D_SIZE has to stand before all colours") }
                curves.points = try size(words, curves, number)
            case cube.keyword:
                // Some programs write the cube's size after the colours of the curves.
                guard colors.isEmpty || colors.count == curveCount else {
                    throw fault(number, "LUT_3D_SIZE stands among the colours; it has to stand before them")
                }
                cube.points = try size(words, cube, number)
            case "DOMAIN_MIN": low = try numbers(words.dropFirst(), 3, number)
            case "DOMAIN_MAX": high = try numbers(words.dropFirst(), 3, number)
            case "LUT_1D_INPUT_RANGE": curves.range = try range(words, number)
            case "LUT_3D_INPUT_RANGE": cube.range = try range(words, number)
            default:
                let first = keyword.utf8.first ?? 0
                guard (48...57).contains(first) || [43, 45, 46].contains(first) else {
                    throw fault(number, "'\(keyword.prefix(40))' is not a keyword of a .cube file")
                }
                guard expected > 0 else { throw fault(number, "colours come before LUT_1D_SIZE or LUT_3D_SIZE") }
                guard colors.count < expected else {
                    throw fault(number, "there are more colours than the \(expected) that the size makes")
                }
                colors.append(try numbers(words[...], 3, number))
            }
        }

        private func size(_ words: [String], _ header: TableHeader, _ number: Int) throws(OperationError) -> Int {
            guard header.points == nil else { throw fault(number, "a second \(header.keyword)") }
            guard words.count == 2, let size = Int(words[1]), header.sizes.contains(size) else {
                throw fault(
                    number, "\(words[0]) takes one whole number, \(header.sizes.lowerBound) to \(header.sizes.upperBound)")
            }
            return size
        }

        private func range(_ words: [String], _ number: Int) throws(OperationError) -> SIMD2<Float> {
            let ends = try numbers(words.dropFirst(), 2, number)
            return SIMD2(ends.x, ends.y)
        }

        private func numbers(_ words: ArraySlice<String>, _ count: Int, _ line: Int) throws(OperationError) -> SIMD3<Float> {
            let values = words.compactMap { Float($0) }.filter(\.isFinite)
            guard words.count == count, values.count == count else {
                throw fault(line, "\(count) numbers belong here, not '\(words.joined(separator: " ").prefix(60))'")
            }
            return SIMD3(values[0], values[1], count > 2 ? values[2] : 0)
        }

        func finished(_ lines: Int) throws(OperationError) -> LookupTable {
            guard expected > 0 else { throw fault(lines, "the file ends without LUT_1D_SIZE or LUT_3D_SIZE") }
            guard colors.count == expected else {
                throw fault(lines, "the file ends after \(colors.count) of \(expected) colours")
            }
            let shaper = try curves.points.map { points throws(OperationError) in
                LookupTable(
                    .curves, points: points, colors: Array(colors.prefix(points)),
                    domain: try domain(curves, isFirst: true, lines))
            }
            if let shaper, cube.points == nil { return shaper }
            return LookupTable(
                .cube, points: cube.points ?? 0, colors: Array(colors.dropFirst(curveCount)),
                domain: try domain(cube, isFirst: shaper == nil, lines), shaper: shaper)
        }

        /// - Parameter isFirst: whether `DOMAIN_MIN` and `DOMAIN_MAX` apply to this table, because it is the first one
        ///   in the file.
        private func domain(
            _ header: TableHeader, isFirst: Bool, _ lines: Int
        ) throws(OperationError) -> [ClosedRange<Float>] {
            let low = isFirst ? low : nil
            let high = isFirst ? high : nil
            var domain: [ClosedRange<Float>] = []
            for channel in 0..<3 {
                let (start, end) = (low?[channel] ?? header.range.x, high?[channel] ?? header.range.y)
                guard start < end else {
                    throw fault(
                        lines,
                        low == nil && high == nil
                            ? "the first number of \(header.rangeKeyword) is not below the second"
                            : "DOMAIN_MIN is not below DOMAIN_MAX")
                }
                domain.append(start...end)
            }
            return domain
        }
    }

    /// The size and range that a file declares for one of its tables.
    private struct TableHeader {
        let keyword: String
        let sizes: ClosedRange<Int>
        var points: Int?
        /// The input values of the first and the last point.
        var range = SIMD2<Float>(0, 1)

        var rangeKeyword: String { keyword.dropLast(4) + "INPUT_RANGE" }
    }
}
