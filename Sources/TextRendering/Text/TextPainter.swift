import CPango
import ExportPlan
import Vocabulary

/// Draws the parts of a laid out text from back to front: background box, shadow, outline, fill.
struct TextPainter {
    let layout: TextLayout

    private var content: TextContent { layout.content }

    // MARK: The whole text and its units

    func picture() throws(TextRenderingError) -> DrawnPicture {
        var picture = try whole().picture(boxSize: boxSize)
        (picture.boxWidth, picture.boxHeight) = (layout.width, layout.height)
        return picture
    }

    /// The units in the order in which they have to be drawn; see `Typesetter.units`.
    func units(by unit: TextUnit) throws(TextRenderingError) -> [DrawnUnit] {
        var result: [DrawnUnit] = []
        if let backdrop = try backdrop() {
            let box = DrawnUnit.Box(x: 0, y: 0, width: layout.width, height: layout.height)
            result.append(DrawnUnit(part: .backdrop, index: nil, box: box, picture: try backdrop.picture(boxSize: boxSize)))
        }
        let groups = layout.groups(by: unit)
        for part in [DrawnUnit.Part.outline, .filling] {
            for (index, group) in groups.enumerated() {
                let canvas = part == .outline ? try outline(group) : try filling(group)
                guard let canvas, let box = DrawnUnit.Box(around: group) else { continue }
                result.append(DrawnUnit(part: part, index: index, box: box, picture: try canvas.picture(boxSize: boxSize)))
            }
        }
        return result
    }

    // MARK: Parts

    /// The box, rounded outwards to whole pixels.
    private var boxBounds: PixelBounds { PixelBounds(x: 0, y: 0, width: layout.width, height: layout.height) }

    private var boxSize: FrameSize { FrameSize(width: boxBounds.width, height: boxBounds.height) }

    private func whole() throws(TextRenderingError) -> Canvas {
        let backdrop = try backdrop()
        let letters = [try outline(layout.clusters), try filling(layout.clusters)].compactMap { $0 }
        let parts = (backdrop.map { [$0] } ?? []) + letters
        let canvas = try Canvas(parts.map(\.bounds).reduce(boxBounds) { $0.union($1) })
        for part in parts { canvas.paint(part) }
        return canvas
    }

    /// The background box, the backgrounds of runs and the shadow; nil where the text has none of them.
    private func backdrop() throws(TextRenderingError) -> Canvas? {
        let parts = [try background(), try runBackgrounds(), try shadow()].compactMap { $0 }
        guard let first = parts.first else { return nil }
        let canvas = try Canvas(parts.map(\.bounds).reduce(first.bounds) { $0.union($1) })
        for part in parts { canvas.paint(part) }
        return canvas
    }

    /// The strokes of some clusters; nil where there are none.
    private func outline(_ clusters: [Cluster]) throws(TextRenderingError) -> Canvas? {
        var parts: [Canvas?] = []
        for (stroke, group) in clusters.parted(by: { layout.style(of: $0)?.stroke ?? content.stroke }) {
            if let stroke, stroke.width > 0 { parts.append(try outline(group, stroke)) }
        }
        return try joined(parts)
    }

    private func outline(_ clusters: [Cluster], _ stroke: Stroke) throws(TextRenderingError) -> Canvas? {
        try glyphs(clusters.filter { !$0.isPicture }, color: stroke.color, strokeWidth: stroke.width) { canvas, cluster in
            cairo_set_line_width(canvas.context, stroke.width)
            cairo_set_line_join(canvas.context, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_cap(canvas.context, CAIRO_LINE_CAP_ROUND)
            canvas.addGlyphs(cluster)
            cairo_stroke(canvas.context)
        }
    }

    /// The glyphs and the lines of some clusters, each in the colour of its run. The colour's alpha also applies to glyphs
    /// with colours of their own; a gradient does not concern them.
    private func filling(_ clusters: [Cluster]) throws(TextRenderingError) -> Canvas? {
        var parts: [Canvas?] = []
        for (color, group) in clusters.parted(by: { layout.style(of: $0)?.color }) {
            if let color { parts.append(try filling(group, color: color)) } else { parts.append(try plainFilling(group)) }
        }
        return try joined(parts)
    }

    /// The glyphs and lines of clusters whose run has no colour of its own.
    private func plainFilling(_ clusters: [Cluster]) throws(TextRenderingError) -> Canvas? {
        guard let gradient = content.gradient else { return try filling(clusters, color: content.color) }
        let letters = try filling(clusters.filter { !$0.isPicture }, color: .black, lines: clusters.flatMap(\.lines))
        letters?.fill(GradientField(gradient, width: layout.width, height: layout.height))
        let pictures = try filling(clusters.filter(\.isPicture), color: .black, lines: [])
        return try joined([letters, pictures])
    }

    /// Several canvases as one; nil where there are none.
    private func joined(_ canvases: [Canvas?]) throws(TextRenderingError) -> Canvas? {
        let parts = canvases.compactMap { $0 }
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        let canvas = try Canvas(parts.dropFirst().reduce(first.bounds) { $0.union($1.bounds) })
        for part in parts { canvas.paint(part) }
        return canvas
    }

    /// - Parameter lines: the lines under and through the letters; by default those of the clusters.
    private func filling(
        _ clusters: [Cluster], color: RGBAColor, lines: [Cluster.Rect]? = nil
    ) throws(TextRenderingError) -> Canvas? {
        let lines = lines ?? clusters.flatMap(\.lines)
        // The picture is as large as with the text's strokes, so that it begins at the same pixel.
        let margin = content.stroke?.width ?? 0
        return try glyphs(clusters.joined, color: color, strokeWidth: margin, lines: lines.joined) { canvas, cluster in
            if cluster.isPicture || layout.placement == .wholePixels {
                cairo_set_scaled_font(canvas.context, cluster.font)
                cairo_show_glyphs(canvas.context, cluster.glyphs, Int32(cluster.glyphs.count))
            } else {
                canvas.addGlyphs(cluster)
                cairo_fill(canvas.context)
            }
        }
    }

    /// Draws with an opaque colour and applies the colour's alpha at the end, so that overlapping parts do not show
    /// through.
    private func glyphs(
        _ clusters: [Cluster], color: RGBAColor, strokeWidth: Double, lines: [Cluster.Rect] = [],
        _ draw: (Canvas, Cluster) -> Void
    ) throws(TextRenderingError) -> Canvas? {
        let drawn = clusters.filter { !$0.glyphs.isEmpty }
        guard let bounds = inkBounds(drawn.map(\.ink) + lines, strokeWidth: strokeWidth) else { return nil }
        let opaque = try Canvas(bounds)
        opaque.setOpaque(color)
        clipToBox(opaque)
        for cluster in drawn { draw(opaque, cluster) }
        opaque.fill(lines)
        guard color.alpha < 255 else { return opaque }
        let canvas = try Canvas(bounds)
        canvas.paint(opaque, alpha: color.alpha)
        return canvas
    }

    private func clipToBox(_ canvas: Canvas) {
        guard layout.isCut else { return }
        let bounds = canvas.bounds
        cairo_rectangle(
            canvas.context, Double(bounds.minX), Double(bounds.minY), Double(bounds.width),
            max(0, layout.height - Double(bounds.minY)))
        cairo_clip(canvas.context)
    }

    /// The pixels that letters and lines may touch, including their strokes; nil where nothing is drawn.
    private func inkBounds(_ rects: [Cluster.Rect], strokeWidth: Double) -> PixelBounds? {
        guard let first = rects.first else { return nil }
        let ink = rects.dropFirst().reduce(first) { $0.union($1) }
        // One more pixel is added because pictures of glyphs are moved to whole pixels.
        let margin = strokeWidth / 2 + 1
        var bounds = PixelBounds(x: ink.x, y: ink.y, width: ink.width, height: ink.height, margin: margin)
        if layout.isCut {
            bounds.maxY = min(bounds.maxY, boxBounds.maxY)
            bounds.minY = min(bounds.minY, bounds.maxY)
        }
        return bounds
    }

    /// The backgrounds of runs; nil where no run has one.
    private func runBackgrounds() throws(TextRenderingError) -> Canvas? {
        var parts: [Canvas] = []
        for (color, group) in layout.clusters.parted(by: { layout.style(of: $0)?.background }) {
            let rects = group.compactMap(\.background).joined
            guard let color, let bounds = inkBounds(rects, strokeWidth: 0) else { continue }
            let canvas = try Canvas(bounds)
            clipToBox(canvas)
            canvas.set(color)
            canvas.fill(rects)
            parts.append(canvas)
        }
        return try joined(parts)
    }

    private func background() throws(TextRenderingError) -> Canvas? {
        guard let box = content.backgroundBox else { return nil }
        let (width, height) = (layout.width + 2 * box.padding, layout.height + 2 * box.padding)
        let canvas = try Canvas(PixelBounds(x: -box.padding, y: -box.padding, width: width, height: height))
        canvas.set(box.color)
        canvas.addRect(x: -box.padding, y: -box.padding, width: width, height: height, cornerRadius: box.cornerRadius)
        cairo_fill(canvas.context)
        return canvas
    }

    /// The letters' alpha, moved by whole pixels, blurred and coloured.
    private func shadow() throws(TextRenderingError) -> Canvas? {
        guard let shadow = content.shadow else { return nil }
        let letters = [try outline(layout.clusters), try filling(layout.clusters)].compactMap { $0 }
        guard let first = letters.first else { return nil }
        let blur = shadow.blur > 0 ? AlphaBlur(deviation: shadow.blur) : nil
        let inner = letters.map(\.bounds).reduce(first.bounds) { $0.union($1) }
        let bounds = inner.grown(by: blur?.radius ?? 0)
        let mask = try Canvas(bounds)
        for part in letters { mask.paint(part) }
        var alpha = mask.alpha()
        blur?.blur(&alpha, width: mask.width, height: mask.height)
        var place = bounds
        let (right, down) = (Int(shadow.x.rounded()), Int(shadow.y.rounded()))
        place.minX += right
        place.maxX += right
        place.minY += down
        place.maxY += down
        let canvas = try Canvas(place)
        canvas.fill(shadow.color, through: alpha)
        return canvas
    }
}

extension [Cluster] {
    /// The clusters in groups by a part of their style, in the order in which the parts first appear.
    fileprivate func parted<Part: Hashable>(by part: (Cluster) -> Part) -> [(Part, [Cluster])] {
        var groups: [(Part, [Cluster])] = []
        var places: [Part: Int] = [:]
        for cluster in self {
            let part = part(cluster)
            if let place = places[part] {
                groups[place].1.append(cluster)
            } else {
                places[part] = groups.count
                groups.append((part, [cluster]))
            }
        }
        return groups
    }
}

extension TextLayout {
    /// The style of the run that a cluster belongs to; nil in a text without runs.
    fileprivate func style(of cluster: Cluster) -> TextRun? {
        guard let runs = content.runs, cluster.run < runs.count else { return nil }
        return runs[cluster.run]
    }
}

extension Canvas {
    /// Fills rectangles with the colour that is drawn with.
    fileprivate func fill(_ rects: [Cluster.Rect]) {
        for rect in rects { cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height) }
        if !rects.isEmpty { cairo_fill(context) }
    }

    fileprivate func addGlyphs(_ cluster: Cluster) {
        cairo_set_scaled_font(context, cluster.font)
        cairo_glyph_path(context, cluster.glyphs, Int32(cluster.glyphs.count))
    }
}
