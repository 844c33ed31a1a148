package import DraftModel
import ExactTime
import Vocabulary

/// A draft over time, as far as the document says it: the main track, what lies over it, and its sound.
///
/// The document does not have the lengths of its sources. A clip that plays all of its source has no length here, so it is
/// drawn with a usual one and marked, and all that follows it is marked as later or earlier, too.
package struct DraftTimeline: Sendable {
    struct Block: Sendable {
        var name: String
        var detail: String
        var start: Double
        /// nil where only the source's length says it.
        var length: Double?
        /// How long a block of unknown length is drawn, in seconds.
        static let usual = 5.0

        var end: Double { start + (length ?? Block.usual) }
    }

    struct Row: Sendable {
        var name: String
        var blocks: [Block]
    }

    let rows: [Row]
    /// Chapters with their starts.
    let chapters: [(title: String, start: Double)]

    /// How many rows of one kind are drawn.
    private static let limit = 12

    package init(_ draft: Draft) {
        var rows = [Row(name: "Main track", blocks: DraftTimeline.mainTrack(draft.mainTrackClips))]
        let main = rows[0].blocks.last?.end ?? 0
        for layer in (draft.layers ?? []).sorted(by: { ($0.layerLevel ?? 0) > ($1.layerLevel ?? 0) }).prefix(DraftTimeline.limit)
        {
            let source = layer.source
            rows.append(
                Row(
                    name: "Layer",
                    blocks: [
                        Block(
                            name: source?.type.rawValue ?? "layer", detail: source?.url ?? layer.id ?? "",
                            start: layer.timeRange.start.doubleValue, length: layer.timeRange.duration.doubleValue)
                    ]))
        }
        let effects = (draft.effects ?? []).prefix(200).map { effect in
            Block(
                name: effect.type.rawValue, detail: effect.id ?? "", start: effect.timeRangeAtMainTrack?.start.doubleValue ?? 0,
                length: effect.timeRangeAtMainTrack?.duration.doubleValue ?? main)
        }
        if !effects.isEmpty { rows.append(Row(name: "Effects", blocks: Array(effects))) }
        for clip in (draft.audioClips ?? []).prefix(DraftTimeline.limit) {
            let length = clip.timeRange.map { $0.duration.doubleValue / max(0.01, clip.speed?.doubleValue ?? 1) }
            rows.append(
                Row(
                    name: "Sound",
                    blocks: [
                        Block(
                            name: "sound", detail: clip.url, start: clip.startTimeAtMainTrack?.doubleValue ?? 0,
                            length: clip.loop == true ? max(0, main - (clip.startTimeAtMainTrack?.doubleValue ?? 0)) : length)
                    ]))
        }
        self.rows = rows
        chapters = (draft.chapters ?? []).map { ($0.title, $0.start.doubleValue) }
    }

    private static func mainTrack(_ clips: [MainTrackClip]) -> [Block] {
        var end = 0.0
        return clips.map { clip in
            let overlap = clip.transition?.duration.doubleValue ?? 0
            let block = Block(
                name: clip.type.rawValue, detail: clip.url ?? clip.name ?? clip.color?.hex ?? "", start: max(0, end - overlap),
                length: length(of: clip))
            end = block.end
            return block
        }
    }

    private static func length(of clip: MainTrackClip) -> Double? {
        var speed = 1.0
        if case .constant(let constant)? = clip.speed { speed = max(0.01, constant.doubleValue) }
        switch clip.type {
        case .av:
            if let length = clip.durationAtMainTrack { return length.doubleValue }
            // A curve of speeds decides the length with the source's own time.
            if case .curve? = clip.speed { return nil }
            return clip.timeRange.map { $0.duration.doubleValue / speed }
        case .image, .color: return clip.duration?.doubleValue
        case .generator: return clip.duration.map { $0.doubleValue / speed }
        }
    }

    // MARK: Drawing

    private var end: Double { max(1, rows.flatMap(\.blocks).map(\.end).max() ?? 1) }

    private var hasUnknown: Bool { rows.contains { $0.blocks.contains { $0.length == nil } } }

    var html: HTML {
        let pictures = rows.map { row -> HTML in
            """
            <tr><th scope="row">\(row.name)</th><td><svg viewBox="0 0 1000 22" preserveAspectRatio="none" role="img" \
            aria-label="\(words(row))">\(row.blocks.map { block($0, of: row) })</svg></td></tr>

            """
        }
        return """
            \(hatch)<div class="table timeline" role="region" aria-label="Timeline" tabindex="0"><table>
            <caption class="hidden-text">The draft over time</caption>
            <tbody>\(pictures)</tbody></table>
            <p class="scale"><span>0:00</span><span>\(Phrase.time(end))\(when(hasUnknown, " or another length"))</span></p></div>
            \(when(hasUnknown, "<p class=\"muted\">Hatched clips play all of their source, whose length the draft does not have; they are drawn with \(Phrase.time(Block.usual)).</p>"))
            \(when(!chapters.isEmpty, "<p>Chapters: \(chapters.prefix(50).map { "<span class=\"key\">\(Phrase.time($0.start)) \($0.title)</span> " as HTML })</p>"))
            \(clips)
            """
    }

    private func block(_ block: Block, of row: Row) -> HTML {
        let left = Int(block.start / end * 1000)
        let width = max(2, Int(block.end / end * 1000) - left - 1)
        return """
            <g class="clip kind-\(block.name)"><title>\(words(block))</title><rect class="body" x="\(left)" y="0" width="\(width)" height="22"/>\
            \(when(block.length == nil, "<rect fill=\"url(#hatch)\" x=\"\(left)\" y=\"0\" width=\"\(width)\" height=\"22\"/>"))</g>
            """
    }

    private func words(_ block: Block) -> String {
        "\(block.name)\(block.detail.isEmpty ? "" : " \(block.detail)"), from \(Phrase.time(block.start)) "
            + (block.length.map { "for \(Phrase.time($0))" } ?? "for as long as its source is")
    }

    private func words(_ row: Row) -> String {
        row.blocks.count == 1 ? words(row.blocks[0]) : "\(row.name): \(Phrase.count(row.blocks.count, "element")), listed below"
    }

    private var clips: HTML {
        let list = rows.flatMap { row in row.blocks.map { (row.name, $0) } }
        let lines = list.prefix(200).map { name, block -> HTML in
            """
            <tr><td>\(name)</td><td>\(block.name)</td><td class="wide"><code>\(block.detail)</code></td>\
            <td class="number">\(Phrase.time(block.start))</td><td class="number">\(block.length.map(Phrase.time) ?? "as its source")</td></tr>

            """
        }
        return """
            <details><summary>\(Phrase.count(list.count, "element"))</summary>\
            \(table("Elements of the draft", id: "elements", ["Track", "Kind", "Source", "#From", "#Lasts"], lines, empty: "The draft has no elements."))\
            </details>
            """
    }
}
