import FarmAPI
import Coordinator
import FoundationEssentials

/// Numbers and times as text for people.
enum Phrase {
    /// An age such as `12 s`, `4 min`, `3 h` or `2 d`.
    static func age(_ date: Date, at now: Date) -> String { seconds(now.timeIntervalSince(date)) }

    static func seconds(_ seconds: Double) -> String {
        switch max(0, seconds) {
        case ..<10: "\((max(0, seconds) * 10).rounded() / 10) s"
        case ..<120: "\(Int(seconds)) s"
        case ..<7200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: "\(Int(seconds / 86400)) d"
        }
    }

    /// A number without needless digits: `8`, `1.25`.
    static func number(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\((number * 100).rounded() / 100)"
    }

    static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: "\(count / 1000) kB"
        case ..<1_000_000_000: "\(Double(count / 100_000) / 10) MB"
        default: "\(Double(count / 100_000_000) / 10) GB"
        }
    }

    /// The progress such as `45 %`, or `-` before the number of frames is known.
    static func progress(_ export: Export) -> String {
        if export.state == .completed { return "100 %" }
        guard let total = export.frameCount, total > 0 else { return "-" }
        return "\(min(export.progress.framesDone, total) * 100 / total) %"
    }
}
