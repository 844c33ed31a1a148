import CPango
import ExportPlan

/// Where a font puts the lines under and through its letters, in pixels. Downwards counts as above zero.
struct LineMetrics {
    private let underline: (top: Double, height: Double)
    private let strikethrough: (top: Double, height: Double)

    /// - Parameter language: the language of the letters.
    init?(_ font: UnsafeMutablePointer<PangoFont>, _ language: OpaquePointer?) {
        guard let metrics = pango_font_get_metrics(font, language) else { return nil }
        defer { pango_font_metrics_unref(metrics) }
        func pixels(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
        underline = (
            -pixels(pango_font_metrics_get_underline_position(metrics)),
            pixels(pango_font_metrics_get_underline_thickness(metrics))
        )
        strikethrough = (
            -pixels(pango_font_metrics_get_strikethrough_position(metrics)),
            pixels(pango_font_metrics_get_strikethrough_thickness(metrics))
        )
    }

    /// The lines of a run along some letters.
    /// - Parameter baseline: that of the letters.
    func lines(of run: TextRun, x: Double, width: Double, baseline: Double) -> [Cluster.Rect] {
        var lines: [Cluster.Rect] = []
        if run.isUnderlined == true {
            lines.append(Cluster.Rect(x: x, y: baseline + underline.top, width: width, height: underline.height))
        }
        if run.isStruckThrough == true {
            lines.append(Cluster.Rect(x: x, y: baseline + strikethrough.top, width: width, height: strikethrough.height))
        }
        return lines
    }
}

extension [Cluster.Rect] {
    /// Rectangles with neighbours at the same height joined, so that there is no seam between letters.
    var joined: [Cluster.Rect] {
        var result: [Cluster.Rect] = []
        for next in sorted(by: { ($0.y, $0.height, $0.x) < ($1.y, $1.height, $1.x) }) {
            if let last = result.last, last.y == next.y, last.height == next.height,
                next.x <= last.x + last.width + 1.0 / Double(PANGO_SCALE)
            {
                result[result.count - 1] = last.union(next)
            } else {
                result.append(next)
            }
        }
        return result
    }
}
