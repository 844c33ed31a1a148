import FarmAPI
import Vocabulary
import FoundationEssentials

extension Phrase {
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
    let words = distance < -1 ? "in \(Phrase.seconds(-distance))" : "\(Phrase.seconds(max(0, distance))) ago"
    return "<time datetime=\"\(FarmJSON.text(date))\" title=\"\(FarmJSON.text(date))\">\(words)</time>"
}

/// A time of the day, to the second, in UTC.
func clock(_ date: Date) -> HTML {
    let text = FarmJSON.text(date)
    let time = text.split(separator: "T").last.map { String($0.prefix(8)) } ?? text
    return "<time datetime=\"\(text)\" title=\"\(text)\">\(time)</time>"
}
