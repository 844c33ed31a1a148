import ContentHashing
import DraftModel
import ExportPlan

/// What a draft has to know about fonts before it can be planned: one request for all texts of one font, one for each file of captions
/// in each font.
struct FontUse {
    /// Where the font is named first, as in `layers[2].source.font`.
    var path: String
    var request: FontRequest

    /// Under which the answer is found.
    var location: String { FontLocation.location(of: contentKey("fonts", request).text) }

    /// In document order.
    static func all(in draft: Draft) -> [FontUse] {
        let requests = FontRequests(draft)
        var uses: [FontUse] = []
        var seen: Set<FontRequest> = []
        forEachLayer(draft.layers ?? []) { layer, path in
            guard let source = layer.source, let request = requests.request(for: source), seen.insert(request).inserted else {
                return
            }
            uses.append(FontUse(path: "\(path).source.\(source.type == .text ? "font" : "url")", request: request))
        }
        return uses
    }
}

/// The requests of one draft, by what is drawn.
struct FontRequests {
    private let texts: [String: [String]]
    private let files: [String]

    init(_ draft: Draft) {
        var texts: [String: Set<String>] = [:]
        forEachLayer(draft.layers ?? []) { layer, _ in
            if let text = layer.source?.text { texts[text.fontOrStandard, default: []].insert(text.text) }
        }
        self.texts = texts.mapValues { $0.sorted() }
        files = (draft.fonts ?? []).map(\.url)
    }

    /// Nil for what is no lettering.
    func request(for source: LayerSource) -> FontRequest? {
        if let text = source.text {
            return FontRequest(font: text.fontOrStandard, texts: texts[text.fontOrStandard] ?? [text.text], files: files)
        }
        guard source.type == .captions, source.burnIn != false, let url = source.url, !url.isEmpty else { return nil }
        return FontRequest(font: source.style?.font ?? TextStyle.standardFont, captions: url, files: files)
    }

    /// What a source is drawn with; nil where nothing is known of it.
    func fonts(of source: LayerSource, _ facts: [String: SourceFacts]) -> [FontFile]? {
        guard let request = request(for: source),
            let known = facts[FontLocation.location(of: contentKey("fonts", request).text)]?.fonts
        else { return nil }
        let index = source.text.flatMap { request.texts.firstIndex(of: $0.text) } ?? 0
        return known.uses.indices.contains(index) ? known.uses[index] : nil
    }
}

extension TextStyle {
    /// Of texts and captions that name none.
    static let standardFont = "Sans 48"

    var fontOrStandard: String { font ?? TextStyle.standardFont }
}
