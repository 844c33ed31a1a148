/// Durations, amounts and numbers as texts for people, the same at the command line and on the dashboard.
package enum Phrase {
    /// A duration such as `4.2 s`, `35 s`, `4 min`, `3 h 20 min` or `2 d`; a negative one is none.
    package static func seconds(_ seconds: Double) -> String {
        let seconds = max(0, seconds.isFinite ? seconds : 0)
        switch seconds {
        case 0: return "0 s"
        case ..<10: return "\((seconds * 10).rounded() / 10) s"
        case ..<120: return "\(Int(seconds)) s"
        case ..<7200: return "\(Int(seconds / 60)) min"
        case ..<172_800:
            let minutes = Int(seconds / 60) % 60
            return "\(Int(seconds / 3600)) h" + (minutes > 0 ? " \(minutes) min" : "")
        default: return "\(Int(min(seconds / 86_400, 1e9))) d"
        }
    }

    /// An amount of data such as `512 B`, `12 kB`, `3.4 MB` or `1.2 GB`, in powers of a thousand.
    package static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: "\(count / 1000) kB"
        case ..<1_000_000_000: "\(Double(count / 100_000) / 10) MB"
        default: "\(Double(count / 100_000_000) / 10) GB"
        }
    }

    /// A number without needless digits: `8`, `1.25`.
    package static func number(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\((number * 100).rounded() / 100)"
    }
}
