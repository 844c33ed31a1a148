import CPango
import ExportPlan
import Vocabulary

/// The runs of a text as attributes for Pango, which shapes the whole text: letters join, and lines wrap, across the
/// borders of runs. Colours, strokes and lines change no place, so that they are no attributes; the painter looks them
/// up by run.
final class RunAttributes {
    private let content: TextContent
    /// The fonts of runs that have one of their own, by the index of the run.
    private var fonts: [Int: FontChoice] = [:]
    /// Where each run begins, in bytes of the text.
    private let starts: [Int]

    /// - Throws: `TextRenderingError` `invalidFont`, `missingFont`.
    init(_ content: TextContent, _ base: FontChoice, in library: FontLibrary) throws(TextRenderingError) {
        self.content = content
        var starts: [Int] = []
        var next = 0
        for (index, run) in (content.runs ?? []).enumerated() {
            starts.append(next)
            next += run.byteCount
            if let font = run.font { fonts[index] = try FontChoice(font, differingFrom: base, in: library) }
        }
        self.starts = starts
    }

    /// The index of the run that a byte of the text belongs to; 0 in a text without runs.
    func run(atByte place: Int) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            // Runs without text begin where the next one begins, which is the one that is looked for.
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return low
    }

    /// Sets the attributes of a layout.
    /// - Parameter scale: the factor of all sizes and lengths, by which a text is made to fit into its box.
    func apply(to layout: OpaquePointer, scale: Double) {
        let hasSpacing = content.letterSpacing != 0
        guard hasSpacing || content.runs != nil, let list = pango_attr_list_new() else { return }
        if hasSpacing {
            pango_attr_list_insert(list, pango_attr_letter_spacing_new(TextLayout.units(content.letterSpacing * scale)))
        }
        for (index, run) in (content.runs ?? []).enumerated() where run.byteCount > 0 {
            let range = UInt32(starts[index])..<UInt32(starts[index] + run.byteCount)
            func add(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
                guard let attribute else { return }
                (attribute.pointee.start_index, attribute.pointee.end_index) = (range.lowerBound, range.upperBound)
                pango_attr_list_change(list, attribute)
            }
            if let font = fonts[index], let description = pango_font_description_copy(font.description) {
                let size = Double(pango_font_description_get_size(description))
                pango_font_description_set_absolute_size(description, size * scale)
                add(pango_attr_font_desc_new(description))
                pango_font_description_free(description)
            }
            if let spacing = run.letterSpacing { add(pango_attr_letter_spacing_new(TextLayout.units(spacing * scale))) }
            if let offset = run.baselineOffset { add(pango_attr_rise_new(TextLayout.units(offset * scale))) }
            switch run.script {
            case .superscript:
                add(pango_attr_baseline_shift_new(Int32(PANGO_BASELINE_SHIFT_SUPERSCRIPT.rawValue)))
                add(pango_attr_font_scale_new(PANGO_FONT_SCALE_SUPERSCRIPT))
            case .subscript:
                add(pango_attr_baseline_shift_new(Int32(PANGO_BASELINE_SHIFT_SUBSCRIPT.rawValue)))
                add(pango_attr_font_scale_new(PANGO_FONT_SCALE_SUBSCRIPT))
            case nil: break
            }
        }
        pango_layout_set_attributes(layout, list)
        pango_attr_list_unref(list)
    }
}
