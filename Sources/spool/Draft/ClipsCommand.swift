import ArgumentParser
import ArtifactStore
import CommandLineInterface
import DraftCompiler
import DraftModel
import ExactTime
import ExportPlan
import FoundationEssentials

/// `spool clips`: lists the clips of the main track and how much of each is already in the cache.
struct ClipsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clips", abstract: "List the clips of the main track: times, suggested crops, and what is rendered already.")

    @OptionGroup var draft: DraftOptions
    @OptionGroup var work: WorkOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let prepared = try await DraftPreparation(draft, work)
        let places = try prepared.compiler.clipPlaces(of: prepared.draft, (prepared.composition, prepared.plan))
        let dates = try Dictionary(
            prepared.plan.videoSegments.compactMap { segment in
                try prepared.store.dateStored(segment.key).map { (segment.key, $0) }
            }, uniquingKeysWith: { first, _ in first })
        let entries = places.map { Entry($0, dates) }
        if json { return try Terminal.printJSON(entries) }
        for entry in entries { Terminal.print(entry.text) }
    }

    private struct Entry: Encodable {
        struct Segment: Encodable {
            var key: ArtifactKey
            var isExported: Bool
            var dateExported: Date?
        }
        var index: Int
        var id: String?
        /// Nil for a clip of type `color`.
        var url: String?
        var timeRangeAtMainTrack: TimeRange
        var suggestedCropRect: Rect?
        var segments: [Segment]
        /// Whether all of the clip's segments are in the cache.
        var isExported: Bool
        /// When the last of its segments was rendered; nil unless all are in the cache.
        var dateExported: Date?

        init(_ place: ClipPlace, _ dates: [ArtifactKey: Date]) {
            index = place.index
            id = place.id
            url = place.url
            timeRangeAtMainTrack = place.timeRangeAtMainTrack
            suggestedCropRect = place.suggestedCropRect
            segments = place.segments.map { Segment(key: $0, isExported: dates[$0] != nil, dateExported: dates[$0]) }
            isExported = !segments.isEmpty && segments.allSatisfy(\.isExported)
            dateExported = isExported ? segments.compactMap(\.dateExported).max() : nil
        }

        var text: String {
            let range = timeRangeAtMainTrack
            let done = segments.count { $0.isExported }
            let crop = suggestedCropRect.map { "  crop \($0.width)x\($0.height) at \($0.x),\($0.y)" } ?? ""
            let state =
                dateExported.map { "exported \($0.formatted(.iso8601))" } ?? "\(done) of \(segments.count) segments exported"
            let name = (id.map { "'\($0)'  " } ?? "") + (url ?? "color")
            return "\(index)  \(range.start)..\(range.end) s  \(name)\(crop)  \(state)"
        }
    }
}
