import CPango
import ExportPlan
import Vocabulary

/// A text laid out by Pango, with the position of every glyph. It owns Pango's layout, and with it the fonts of its
/// clusters.
final class TextLayout {
    let content: TextContent
    let placement: GlyphPlacement
    /// The clusters line by line, each line from left to right.
    private(set) var clusters: [Cluster] = []
    /// The width of the box in pixels: the requested one, or what the text needs. The same holds for `height`.
    private(set) var width = 0.0
    private(set) var height = 0.0
    /// The baseline of the first line, in pixels from the top.
    private(set) var baseline = 0.0
    /// Whether the text extends below its box.
    private(set) var isCut = false
    /// fontconfig's patterns of the fonts in use, which live as long as the layout.
    private(set) var fonts: Set<OpaquePointer> = []

    private let layout: OpaquePointer
    private let runs: RunAttributes

    /// - Throws: `TextRenderingError` `invalidFont`, `missingFont`, `missingGlyph`, `outOfMemory`.
    init(
        _ content: TextContent, _ placement: GlyphPlacement, context: OpaquePointer, fonts: FontLibrary
    ) throws(TextRenderingError) {
        let font = try FontChoice(content.font, in: fonts)
        guard let layout = pango_layout_new(context) else {
            throw TextRenderingError(.outOfMemory, subject: "text layout", message: "cannot be set up")
        }
        self.content = content
        self.placement = placement
        self.layout = layout
        do throws(TextRenderingError) {
            runs = try RunAttributes(content, font, in: fonts)
        } catch {
            spool_layout_free(layout)
            throw error
        }
        pango_layout_set_text(layout, content.text, Int32(content.text.utf8.count))
        pango_layout_set_font_description(layout, font.description)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        if let width = content.box.width { pango_layout_set_width(layout, TextLayout.units(width)) }
        if content.alignment == .justified { pango_layout_set_justify(layout, 1) }
        if content.lineSpacing != 1 { pango_layout_set_line_spacing(layout, Float(content.lineSpacing)) }
        runs.apply(to: layout, scale: 1)
        if content.fitsBox == true { shrinkToBox(font) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        width = content.box.width ?? TextLayout.pixels(logical.width)
        height = content.box.height ?? TextLayout.pixels(logical.height)
        isCut = TextLayout.pixels(logical.height) > height
        baseline = TextLayout.pixels(pango_layout_get_baseline(layout))
        try findClusters()
    }

    deinit { spool_layout_free(layout) }

    /// Sets the largest font, in steps of 1/256 of its size, in which the text fits into its box. A text that fits in none
    /// is cut off below the box as usual.
    private func shrinkToBox(_ font: FontChoice) {
        let size = pango_font_description_get_size(font.description)
        guard let description = pango_font_description_copy(font.description) else { return }
        defer { pango_font_description_free(description) }
        let steps = 256
        func fits(_ step: Int) -> Bool {
            let scale = Double(step) / Double(steps)
            pango_font_description_set_absolute_size(description, Double(size) * scale)
            pango_layout_set_font_description(layout, description)
            runs.apply(to: layout, scale: scale)
            // Words stay whole here, so that a word that is too wide shows.
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
            defer { pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR) }
            var logical = PangoRectangle()
            pango_layout_get_extents(layout, nil, &logical)
            // Justified lines have exactly the width of the box, in Pango's units.
            return content.box.width.map { logical.width <= TextLayout.units($0) } ?? true
                && content.box.height.map { logical.height <= TextLayout.units($0) } ?? true
        }
        guard !fits(steps) else { return }
        var (fitting, tooLarge) = (1, steps)
        while tooLarge - fitting > 1 {
            let step = (fitting + tooLarge) / 2
            if fits(step) { fitting = step } else { tooLarge = step }
        }
        _ = fits(fitting)
    }

    static func units(_ pixels: Double) -> Int32 { Int32((pixels * Double(PANGO_SCALE)).rounded()) }
    private static func pixels(_ units: Int32) -> Double { pixels(Int(units)) }
    /// Sums of Pango's units are 64 bits wide, because a long line exceeds 32 bits.
    private static func pixels(_ units: Int) -> Double { Double(units) / Double(PANGO_SCALE) }

    private func findClusters() throws(TextRenderingError) {
        guard let iterator = pango_layout_get_iter(layout) else { return }
        defer { pango_layout_iter_free(iterator) }
        var unknown: [Int] = []
        var line = 0
        repeat {
            var (lineRect, runRect) = (PangoRectangle(), PangoRectangle())
            pango_layout_iter_get_line_extents(iterator, nil, &lineRect)
            if let run = pango_layout_iter_get_run_readonly(iterator) {
                pango_layout_iter_get_run_extents(iterator, nil, &runRect)
                // For Pango, "left" is the side where the paragraph begins; here it is always the left side.
                let moved = lineStart(TextLayout.pixels(lineRect.width), otherwise: TextLayout.pixels(lineRect.x))
                let x = moved + TextLayout.pixels(Int(runRect.x) - Int(lineRect.x))
                let baseline = TextLayout.pixels(pango_layout_iter_get_run_baseline(iterator))
                let filled = lineBackground(iterator)
                try addClusters(of: run, x: x, baseline: baseline, line: line, filled, &unknown)
            } else {
                // The iterator is at the end of a line.
                line += 1
            }
        } while pango_layout_iter_next_run(iterator) != 0
        if !unknown.isEmpty { throw missingGlyphs(unknown) }
    }

    /// The top and the bottom of the line that an iterator is at, which the backgrounds of its runs fill.
    private func lineBackground(_ iterator: OpaquePointer) -> (top: Double, height: Double)? {
        guard content.runs != nil, let line = pango_layout_iter_get_line_readonly(iterator) else { return nil }
        var logical = PangoRectangle()
        pango_layout_line_get_extents(line, nil, &logical)
        let baseline = TextLayout.pixels(pango_layout_iter_get_baseline(iterator))
        return (baseline + TextLayout.pixels(logical.y), TextLayout.pixels(logical.height))
    }

    private func lineStart(_ lineWidth: Double, otherwise: Double) -> Double {
        switch content.alignment {
        case .left: 0
        case .center: (width - lineWidth) / 2
        case .right: width - lineWidth
        case .justified: otherwise
        }
    }

    private func addClusters(
        of run: UnsafeMutablePointer<PangoLayoutRun>, x: Double, baseline: Double, line: Int,
        _ filled: (top: Double, height: Double)?, _ unknown: inout [Int]
    ) throws(TextRenderingError) {
        guard let font = run.pointee.item.pointee.analysis.font, let scaled = spool_scaled_font(font),
            let glyphs = run.pointee.glyphs, let infos = glyphs.pointee.glyphs
        else { return }
        if let pattern = spool_font_pattern(font) { fonts.insert(pattern) }
        let isPicture = TextLayout.hasPictures(font)
        let count = Int(glyphs.pointee.num_glyphs)
        var places = [Int](repeating: 0, count: count + 1)
        for index in 0..<count { places[index + 1] = places[index] + Int(infos[index].geometry.width) }
        guard places[count] <= Int(Int32.max) else { throw tooWide(TextLayout.pixels(places[count])) }
        let metrics = content.runs == nil ? nil : LineMetrics(font, run.pointee.item.pointee.analysis.language)

        var iterator = PangoGlyphItemIter()
        var hasMore = pango_glyph_item_iter_init_start(&iterator, run, pango_layout_get_text(layout))
        while hasMore != 0 {
            defer { hasMore = pango_glyph_item_iter_next_cluster(&iterator) }
            let isForward = iterator.start_glyph < iterator.end_glyph
            let first = isForward ? iterator.start_glyph : iterator.end_glyph + 1
            let end = isForward ? iterator.end_glyph : iterator.start_glyph + 1
            var drawn: [cairo_glyph_t] = []
            for index in Int(first)..<Int(end) {
                let info = infos[index]
                if info.glyph == spool_glyph_empty { continue }
                if info.glyph & spool_glyph_unknown_flag != 0 {
                    unknown.append(Int(iterator.start_index))
                    continue
                }
                drawn.append(
                    cairo_glyph_t(
                        index: UInt(info.glyph),
                        x: placement.place(x + TextLayout.pixels(places[index] + Int(info.geometry.x_offset))),
                        y: placement.place(baseline + TextLayout.pixels(info.geometry.y_offset))))
            }
            var (ink, logical) = (PangoRectangle(), PangoRectangle())
            pango_glyph_string_extents_range(glyphs, first, end, font, &ink, &logical)
            let left = x + TextLayout.pixels(places[Int(first)])
            func placed(_ rect: PangoRectangle) -> Cluster.Rect {
                Cluster.Rect(
                    x: left + TextLayout.pixels(rect.x), y: baseline + TextLayout.pixels(rect.y),
                    width: TextLayout.pixels(rect.width), height: TextLayout.pixels(rect.height))
            }
            var cluster = Cluster(
                font: scaled, glyphs: drawn, start: Int(iterator.start_index), line: line, ink: placed(ink),
                logical: placed(logical), isPicture: isPicture)
            if let styles = content.runs, !styles.isEmpty, let metrics {
                cluster.run = runs.run(atByte: cluster.start)
                let (style, box) = (styles[cluster.run], cluster.logical)
                if style.background != nil, let filled {
                    cluster.background = Cluster.Rect(x: box.x, y: filled.top, width: box.width, height: filled.height)
                }
                cluster.lines = metrics.lines(of: style, x: box.x, width: box.width, baseline: baseline)
            }
            clusters.append(cluster)
        }
    }

    /// Whether a font's glyphs are coloured or bitmaps.
    private static func hasPictures(_ font: UnsafeMutablePointer<PangoFont>) -> Bool {
        guard let pattern = spool_font_pattern(font) else { return false }
        var isColored: FcBool = 0
        var isOutline: FcBool = 1
        _ = FcPatternGetBool(pattern, FC_COLOR, 0, &isColored)
        _ = FcPatternGetBool(pattern, FC_OUTLINE, 0, &isOutline)
        return isColored != 0 || isOutline == 0
    }

    private func tooWide(_ width: Double) -> TextRenderingError {
        TextRenderingError(
            .overLimit, subject: "text",
            message: "has a paragraph that is \(Int(width)) pixels long; break it into several, or shorten it")
    }

    private func missingGlyphs(_ places: [Int]) -> TextRenderingError {
        let bytes = Array(content.text.utf8)
        var names: [String] = []
        for place in places where names.count <= 5 {
            // The character's length is not known; no character that a font may lack is longer than 256 bytes.
            let rest = bytes[min(place, bytes.count)...].prefix(256)
            guard let character = String(decoding: rest, as: UTF8.self).first else { continue }
            let codes = character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
            let name = "\(character) (\(codes.joined(separator: " ")))"
            if !names.contains(name) { names.append(name) }
        }
        let listed = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and others" : "")
        return TextRenderingError(
            .missingGlyph, subject: content.font, message: "and all other fonts on this machine lack \(listed)")
    }
}
