public import ExportPlan

/// Reads `.cube` files (Adobe's Cube LUT Specification 1.0): `LUT_1D_SIZE` or `LUT_3D_SIZE`, `DOMAIN_MIN`, `DOMAIN_MAX`,
/// `TITLE`, comments, any line ending; Resolve's `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE` too.
///
/// The domain limits what goes in; values that come out are taken as they stand.
public enum CubeFile {
    /// Points along an axis of a cube (the specification says 256; memory says less) and of a curve.
    private static let cubeSizes = 2...129
    private static let curveSizes = 2...65_536

    /// Whether a text that begins so is meant to be a `.cube` file: one of its keywords begins a line.
    public static func isBegun(by text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let keyword = line.drop { $0 == " " || $0 == "\t" }.prefix { !$0.isWhitespace }
            return keywords.contains(String(keyword))
        }
    }

    /// Those that no other kind of file begins a line with.
    private static let keywords: Set<String> = [
        "LUT_1D_SIZE", "LUT_3D_SIZE", "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE", "DOMAIN_MIN", "DOMAIN_MAX",
    ]

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - subject: its name, for messages.
    /// - Throws: `malformedTable`, with the number of the line.
    public static func table(from bytes: some Collection<UInt8>, subject: String) throws(OperationError) -> LookupTable {
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

    /// What the lines so far have said.
    private struct CubeReading {
        let subject: String
        private var shape: LookupTable.Shape?
        private var points = 0
        private var low = SIMD3<Float>(repeating: 0)
        private var high = SIMD3<Float>(repeating: 1)
        private var colors: [SIMD3<Float>] = []

        init(subject: String) {
            self.subject = subject
        }

        private var expected: Int { shape == .cube ? points * points * points : points }

        private func fault(_ line: Int, _ message: String) -> OperationError {
            OperationError(.malformedTable, subject: subject, message: "line \(line): \(message)")
        }

        mutating func take(_ line: [UInt8], _ number: Int) throws(OperationError) {
            let words = line.split { $0 == 32 || $0 == 9 }.map { String(decoding: $0, as: UTF8.self) }
            guard let keyword = words.first, !keyword.hasPrefix("#") else { return }
            switch keyword {
            case "TITLE": return
            case "LUT_1D_SIZE": try takeSize(words, .curves, in: CubeFile.curveSizes, number)
            case "LUT_3D_SIZE": try takeSize(words, .cube, in: CubeFile.cubeSizes, number)
            case "DOMAIN_MIN": low = try numbers(words.dropFirst(), 3, number)
            case "DOMAIN_MAX": high = try numbers(words.dropFirst(), 3, number)
            case "LUT_1D_INPUT_RANGE", "LUT_3D_INPUT_RANGE":
                let ends = try numbers(words.dropFirst(), 2, number)
                low = SIMD3(repeating: ends.x)
                high = SIMD3(repeating: ends.y)
            default:
                let first = keyword.utf8.first ?? 0
                guard (48...57).contains(first) || [43, 45, 46].contains(first) else {
                    throw fault(number, "'\(keyword.prefix(40))' is no keyword of a .cube file")
                }
                guard shape != nil else { throw fault(number, "colours come before LUT_1D_SIZE or LUT_3D_SIZE") }
                guard colors.count < expected else {
                    throw fault(number, "there are more colours than the \(expected) that the size makes")
                }
                colors.append(try numbers(words[...], 3, number))
            }
        }

        private mutating func takeSize(
            _ words: [String], _ newShape: LookupTable.Shape, in sizes: ClosedRange<Int>, _ number: Int
        ) throws(OperationError) {
            guard shape == nil else { throw fault(number, "a second size; one file holds one table") }
            guard words.count == 2, let size = Int(words[1]), sizes.contains(size) else {
                throw fault(number, "\(words[0]) takes one whole number, \(sizes.lowerBound) to \(sizes.upperBound)")
            }
            shape = newShape
            points = size
            colors.reserveCapacity(expected)
        }

        private func numbers(_ words: ArraySlice<String>, _ count: Int, _ line: Int) throws(OperationError) -> SIMD3<Float> {
            let values = words.compactMap { Float($0) }.filter(\.isFinite)
            guard words.count == count, values.count == count else {
                throw fault(line, "\(count) numbers belong here, not '\(words.joined(separator: " ").prefix(60))'")
            }
            return SIMD3(values[0], values[1], count > 2 ? values[2] : 0)
        }

        func finished(_ lines: Int) throws(OperationError) -> LookupTable {
            guard let shape else { throw fault(lines, "the file ends without LUT_1D_SIZE or LUT_3D_SIZE") }
            guard colors.count == expected else {
                throw fault(lines, "the file ends after \(colors.count) of \(expected) colours")
            }
            var domain: [ClosedRange<Float>] = []
            for channel in 0..<3 {
                guard low[channel] < high[channel] else { throw fault(lines, "DOMAIN_MIN is not below DOMAIN_MAX") }
                domain.append(low[channel]...high[channel])
            }
            return LookupTable(shape, points: points, colors: colors, domain: domain)
        }
    }
}
