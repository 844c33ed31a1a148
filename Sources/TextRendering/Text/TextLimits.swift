import ExportPlan

extension TextContent {
    /// The greatest length of a text, in UTF-8 bytes.
    package static let byteLimit = 100_000
    /// The greatest length of a paragraph in pixels, before it is wrapped. It is what Pango can represent: 32 bits with
    /// a sign, in 1024ths of a pixel.
    package static let paragraphLimit = Int(Int32.max) >> 10

    /// Refuses texts that cannot be laid out or drawn, before any library sees them.
    /// - Throws: `TextRenderingError` `invalidText` or `overLimit`.
    func checkLimits() throws(TextRenderingError) {
        guard text.utf8.count <= TextContent.byteLimit else {
            throw TextRenderingError(
                .overLimit, subject: "text",
                message: "has \(text.utf8.count) bytes; the limit is \(TextContent.byteLimit)")
        }
        for scalar in text.unicodeScalars where scalar.properties.generalCategory == .control {
            guard !"\n\r\t\u{85}".unicodeScalars.contains(scalar) else { continue }
            throw TextRenderingError(
                .invalidText, subject: String(text.prefix(40)),
                message: "has the control character U+\(String(scalar.value, radix: 16, uppercase: true)) in it")
        }
        let limit = Double(Canvas.sideLimit)
        try check(box.width ?? 1, "box width", 1...limit)
        try check(box.height ?? 1, "box height", 1...limit)
        try check(lineSpacing, "line spacing", 0.01...100)
        try check(letterSpacing, "letter spacing", -limit...limit)
        try check(stroke?.width ?? 0, "stroke width", 0...1000)
        try check(shadow?.x ?? 0, "shadow offset", -limit...limit)
        try check(shadow?.y ?? 0, "shadow offset", -limit...limit)
        try check(shadow?.blur ?? 0, "shadow blur", 0...1000)
        try check(backgroundBox?.padding ?? 0, "padding", 0...limit)
        try check(backgroundBox?.cornerRadius ?? 0, "corner radius", 0...limit)
        try checkRuns(limit)
    }

    private func checkRuns(_ limit: Double) throws(TextRenderingError) {
        guard let runs else { return }
        guard runs.allSatisfy({ $0.byteCount >= 0 }),
            runs.reduce(0, { $0 + min($1.byteCount, TextContent.byteLimit + 1) }) == text.utf8.count
        else {
            throw TextRenderingError(
                .invalidText, subject: String(text.prefix(40)), message: "has runs of another length than its own")
        }
        for run in runs {
            try check(run.letterSpacing ?? 0, "letter spacing", -limit...limit)
            try check(run.baselineOffset ?? 0, "baseline offset", -limit...limit)
            try check(run.stroke?.width ?? 0, "stroke width", 0...1000)
        }
    }
}

extension ShapeContent {
    /// - Throws: `TextRenderingError` `overLimit`.
    func checkLimits() throws(TextRenderingError) {
        let limit = Double(Canvas.sideLimit)
        try check(stroke?.width ?? 0, "stroke width", 0...limit)
        switch outline {
        case .rect(let width, let height, let cornerRadius):
            try check(width, "width", 0...limit)
            try check(height, "height", 0...limit)
            try check(cornerRadius, "corner radius", 0...limit)
        case .ellipse(let width, let height), .path(_, let width, let height):
            try check(width, "width", 0...limit)
            try check(height, "height", 0...limit)
        }
    }
}

private func check(_ value: Double, _ name: String, _ range: ClosedRange<Double>) throws(TextRenderingError) {
    // The check also refuses NaN.
    guard range.contains(value) else {
        throw TextRenderingError(
            .overLimit, subject: "\(name) \(value)", message: "has to be within \(range.lowerBound)...\(range.upperBound)")
    }
}
