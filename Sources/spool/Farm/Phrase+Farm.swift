import FarmAPI
import Coordinator
import Vocabulary
import FoundationEssentials

extension Phrase {
    /// An age such as `12 s`, `4 min`, `3 h 20 min` or `2 d`.
    static func age(_ date: Date, at now: Date) -> String { seconds(now.timeIntervalSince(date)) }

    /// The progress such as `45 %`, or `-` before the number of frames is known.
    static func progress(_ export: Export) -> String {
        if export.state == .completed { return "100 %" }
        guard let total = export.frameCount, total > 0 else { return "-" }
        return "\(min(export.progress.framesDone, total) * 100 / total) %"
    }
}
