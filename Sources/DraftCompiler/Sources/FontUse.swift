import ContentHashing
import DraftModel
import ExportPlan

/// A probe request for the fonts of a text, without which a draft cannot be planned. All texts in one font share one request;
/// each text with runs, and each pair of a captions file and a font, has its own.
struct FontUse {
    /// The path of the first place that names the font, as in `layers[2].source.font`.
    var path: String
    var request: FontRequest

    /// The location under which the facts contain the answer.
    var location: String

    /// All requests of a draft, in document order.
    static func all(in draft: Draft) -> [FontUse] {
        let requests = FontRequests(draft)
        var uses: [FontUse] = []
        forEachLayer(draft.layers ?? []) { layer, path in
            if let source = layer.source, let use = requests.newUse(of: source, at: path) { uses.append(use) }
        }
        return uses
    }
}

/// The font requests of one draft. Each request is built only once, because it is long in a draft with many texts.
final class FontRequests {
    /// A request, the location of its answer, and the index of each text in it.
    private struct Made {
        var request: FontRequest
        var location: String
        var places: [String: Int]
    }

    private struct Captions: Hashable {
        var url: String
        var font: String
    }

    /// A text with runs.
    private struct Styled: Hashable {
        var text: String
        var font: String
        var runs: [ExportPlan.TextRun]

        init?(_ style: TextStyle) {
            guard let runs = style.loweredRuns else { return nil }
            (text, font, self.runs) = (style.text, style.fontOrStandard, runs.map(\.fontsOnly))
        }
    }

    private let texts: [String: Set<String>]
    private let files: [String]
    private var byFont: [String: Made] = [:]
    private var byRuns: [Styled: Made] = [:]
    private var byCaptions: [Captions: Made] = [:]

    init(_ draft: Draft) {
        var texts: [String: Set<String>] = [:]
        forEachLayer(draft.layers ?? []) { layer, _ in
            if let text = layer.source?.text, text.runs == nil { texts[text.fontOrStandard, default: []].insert(text.text) }
        }
        self.texts = texts
        files = (draft.fonts ?? []).map(\.url)
    }

    /// The request for a source; nil if an earlier call returned it already or the source needs no fonts.
    func newUse(of source: LayerSource, at path: String) -> FontUse? {
        guard !isKnown(source), let made = made(for: source) else { return nil }
        let field = source.type != .text ? "url" : source.text?.runs == nil ? "font" : "runs"
        return FontUse(path: "\(path).source.\(field)", request: made.request, location: made.location)
    }

    /// The font files that a source is drawn with; nil if they are unknown.
    func fonts(of source: LayerSource, _ facts: [String: SourceFacts]) -> [FontFile]? {
        guard let made = made(for: source), let known = facts[made.location]?.fonts else { return nil }
        let index = source.text.flatMap { made.places[$0.text] } ?? 0
        return known.uses.indices.contains(index) ? known.uses[index] : nil
    }

    private func isKnown(_ source: LayerSource) -> Bool {
        if let styled = source.text.flatMap(Styled.init) { return byRuns[styled] != nil }
        if let text = source.text { return byFont[text.fontOrStandard] != nil }
        return captions(source).map { byCaptions[$0] != nil } ?? false
    }

    private func captions(_ source: LayerSource) -> Captions? {
        guard source.type == .captions, source.burnIn != false, let url = source.url, !url.isEmpty else { return nil }
        return Captions(url: url, font: source.style?.font ?? TextStyle.standardFont)
    }

    /// The request for a source; nil if the source has neither text nor drawn captions.
    private func made(for source: LayerSource) -> Made? {
        if let styled = source.text.flatMap(Styled.init) {
            if let known = byRuns[styled] { return known }
            let made = made(FontRequest(font: styled.font, texts: [styled.text], runs: styled.runs, files: files))
            byRuns[styled] = made
            return made
        }
        if let text = source.text {
            let font = text.fontOrStandard
            if let known = byFont[font] { return known }
            let sorted = (texts[font] ?? [text.text]).sorted()
            let made = made(FontRequest(font: font, texts: sorted, files: files))
            byFont[font] = made
            return made
        }
        guard let captions = captions(source) else { return nil }
        if let known = byCaptions[captions] { return known }
        let made = made(FontRequest(font: captions.font, captions: captions.url, files: files))
        byCaptions[captions] = made
        return made
    }

    private func made(_ request: FontRequest) -> Made {
        let places = request.texts.enumerated().map { ($0.element, $0.offset) }
        return Made(
            request: request, location: FontLocation.location(of: contentKey("fonts", request).text),
            places: Dictionary(places, uniquingKeysWith: { first, _ in first }))
    }
}

extension TextStyle {
    /// The font of texts and captions that name none.
    static let standardFont = "Sans 48"

    var fontOrStandard: String { font ?? TextStyle.standardFont }
}
