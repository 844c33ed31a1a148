import ExactTime
import ExportPlan
import FarmAPI
import Vocabulary
import FoundationEssentials

/// The segments of a film side by side, as long as they are: by state, with the worker below, and marked where it took more
/// than one attempt. The list of jobs below it says the same in words.
struct ExportStrip {
    let segments: [Job]
    private let workers: [String]

    /// Workers are told apart by this many colours, and by their numbers in the legend.
    private static let colours = 8
    /// Below so many frames of width, a segment has no line between it and the next one.
    private static let width = 1000

    init(_ jobs: [Job]) {
        segments = jobs.filter { $0.kind == .video }.sorted { $0.ordinal < $1.ordinal }
        workers = Set(segments.compactMap(\.worker)).sorted()
    }

    var html: HTML {
        let total = segments.reduce(0) { $0 + max(1, $1.frameCount) }
        guard total > 0 else { return .none }
        var passed = 0
        let blocks = segments.map { job -> HTML in
            let left = passed * ExportStrip.width / total
            passed += max(1, job.frameCount)
            return block(job, from: left, to: max(left + 1, passed * ExportStrip.width / total))
        }
        return """
            \(hatch)<figure class="strip">
            <svg viewBox="0 0 \(ExportStrip.width) 48" preserveAspectRatio="none" role="img" aria-label="\(words)">
            \(blocks)
            </svg>
            <figcaption>\(legend)</figcaption></figure>

            """
    }

    private func block(_ job: Job, from left: Int, to right: Int) -> HTML {
        let width = right - left - (right - left > 4 ? 1 : 0)
        let worker = job.worker.flatMap { workers.firstIndex(of: $0) }
        let title =
            "Segment \(job.ordinal): \(job.state.rawValue)\(job.reused ? ", its artifact was there already" : "")"
            + (job.worker.map { ", worker \($0)" } ?? "") + (job.attempt > 0 ? ", attempt \(job.attempt)" : "")
            + ", \(job.frameCount) frames"
        return """
            <g class="segment state-\(job.state.rawValue)\(job.reused ? " reused" : "")"><title>\(title)</title>\
            <rect class="body" x="\(left)" y="0" width="\(width)" height="34"/>\
            \(when(job.state == .waiting || job.state == .cancelled, "<rect fill=\"url(#hatch)\" x=\"\(left)\" y=\"0\" width=\"\(width)\" height=\"34\"/>"))\
            \(when(job.attempt > 1, "<rect class=\"again\" x=\"\(left)\" y=\"0\" width=\"\(width)\" height=\"6\"/>"))\
            \(when(worker) { "<rect class=\"worker worker-\($0 % ExportStrip.colours)\" x=\"\(left)\" y=\"38\" width=\"\(width)\" height=\"10\"/>" })</g>

            """
    }

    private var words: String {
        "The segments of the film from left to right: "
            + counts.map { "\($0.count) \($0.state.rawValue)" }.joined(separator: ", ") + "."
    }

    private var counts: [(state: JobState, count: Int)] {
        JobState.allCases.map { state in (state, segments.count { $0.state == state }) }.filter { $0.1 > 0 }
    }

    private var legend: HTML {
        let again = segments.count { $0.attempt > 1 }
        let reused = segments.count(where: \.reused)
        let names = workers.prefix(24).enumerated().map { place, name -> HTML in
            "<span class=\"key\"><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"worker worker-\(place % ExportStrip.colours)\" width=\"10\" height=\"10\"/></svg>\(name)</span>"
        }
        return """
            <span class="keys">\(counts.map { "<span class=\"key\">\($0.count) \(badge($0.state.rawValue))</span>" as HTML })\
            \(when(reused > 0, "<span class=\"key\">\(reused) reused</span>"))\
            \(when(again > 0, "<span class=\"key\"><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"again\" width=\"10\" height=\"5\"/></svg>\(Phrase.count(again, "segment")) took more than one attempt</span>"))</span>
            \(when(!names.isEmpty, "<span class=\"keys\">Workers: \(names)\(when(workers.count > 24, "<span class=\"muted\">and \(workers.count - 24) more</span>"))</span>"))
            """
    }
}

/// Frames of a film along it, from the sprites that the export made.
struct Thumbnails {
    let export: Export

    /// How many are shown at most, evenly over the film.
    private static let count = 16

    var html: HTML {
        guard export.state == .completed, export.filmRemovedAt == nil, let index = export.pictures?.sprites?.index,
            index.count > 0
        else { return .none }
        let shown = min(index.count, Thumbnails.count)
        let pictures = (0..<shown).map { place in picture(place * index.count / shown, index) }
        return "<div class=\"thumbnails\" role=\"region\" aria-label=\"Frames of the film\" tabindex=\"0\">\(pictures)</div>\n"
    }

    /// A window onto the sheet that has the sprite.
    private func picture(_ sprite: Int, _ index: SpriteIndex) -> HTML {
        let perSheet = SpriteIndex.columns * SpriteIndex.rows
        let (sheet, place) = (sprite / perSheet, sprite % perSheet)
        let sprites = index.sprites(ofSheet: sheet).count
        let columns = min(sprites, SpriteIndex.columns)
        let rows = (sprites + SpriteIndex.columns - 1) / SpriteIndex.columns
        let (x, y) = (place % SpriteIndex.columns * index.width, place / SpriteIndex.columns * index.height)
        let time = Phrase.time(index.time(ofSprite: sprite).doubleValue)
        return """
            <figure><svg viewBox="\(x) \(y) \(index.width) \(index.height)" role="img" aria-label="The film at \(time)">\
            <image href="\(Address.export(export.id.text, "pictures", "sprites-\(sheet + 1).jpg"))" width="\(columns * index.width)" \
            height="\(rows * index.height)"/></svg><figcaption>\(time)</figcaption></figure>
            """
    }
}
