import FarmAPI
import FoundationEssentials

/// Numbers, amounts and times as texts for people.
enum Phrases {
    /// A duration such as `4.2 s`, `35 s`, `4 min`, `3 h 20 min` or `2 d`.
    static func seconds(_ seconds: Double) -> String {
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

    static func bytes(_ count: Int64) -> String {
        switch count {
        case ..<1000: "\(count) B"
        case ..<1_000_000: "\(count / 1000) kB"
        case ..<1_000_000_000: "\(Double(count / 100_000) / 10) MB"
        default: "\(Double(count / 100_000_000) / 10) GB"
        }
    }

    /// A number without needless digits: `8`, `1.25`.
    static func number(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\((number * 100).rounded() / 100)"
    }

    /// A whole number in groups of three digits: `12 400`.
    static func count(_ number: Int) -> String {
        let digits = String(number.magnitude)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "\u{202F}" }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }

    /// A number with its noun: `1 job`, `2 jobs`.
    static func count(_ number: Int, _ noun: String) -> String { "\(count(number)) \(noun)\(number == 1 ? "" : "s")" }

    /// A time of a clip or a film, such as `1:04.5`.
    static func time(_ seconds: Double) -> String {
        let tenths = Int((max(0, min(seconds, 1e9)) * 10).rounded())
        let (minutes, rest) = (tenths / 600, tenths % 600)
        let second = (rest < 100 ? "0" : "") + "\(rest / 10)" + (rest % 10 > 0 ? ".\(rest % 10)" : "")
        return minutes < 60 ? "\(minutes):\(second)" : "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(second)"
    }
}

/// A time as its distance from now; pointing at it shows the date.
func ago(_ date: Date, at now: Date) -> HTML {
    let distance = now.timeIntervalSince(date)
    let words = distance < -1 ? "in \(Phrases.seconds(-distance))" : "\(Phrases.seconds(max(0, distance))) ago"
    return "<time datetime=\"\(FarmJSON.text(date))\" title=\"\(FarmJSON.text(date))\">\(words)</time>"
}

/// A time of the day, to the second, in UTC.
func clock(_ date: Date) -> HTML {
    let text = FarmJSON.text(date)
    let time = text.split(separator: "T").last.map { String($0.prefix(8)) } ?? text
    return "<time datetime=\"\(text)\" title=\"\(text)\">\(time)</time>"
}
