package import Logging
package import FoundationEssentials

/// One line of a log in JSON: `time`, `level`, `process`, `message`, and the metadata, among them `export`, `job` and
/// `attempt` wherever a line is about one.
///
/// Messages and metadata have foreign text. Whatever it is, the line stays one line of valid JSON without control
/// characters, and no field of the metadata can stand for one of the line's own.
package struct LogLine: Sendable {
    /// Fields of the line itself. Metadata of these names gets `metadata.` in front.
    private static let own: Set = ["time", "level", "process", "message"]
    /// Metadata that are numbers.
    private static let numbers: Set = ["job", "attempt"]
    /// How many characters a text has at most.
    private static let limit = 16_384

    /// The JSON with its line feed.
    package let text: String

    package init(
        process: String, level: Logger.Level, message: String, metadata: Logger.Metadata = [:], error: (any Error)? = nil,
        at time: Date = Date()
    ) {
        var fields = [
            ("time", LogLine.quoted(LogLine.timestamp(time))), ("level", LogLine.quoted(level.rawValue)),
            ("process", LogLine.quoted(process)), ("message", LogLine.quoted(message)),
        ]
        let reserved = error == nil ? LogLine.own : LogLine.own.union(["error"])
        if let error { fields.append(("error", LogLine.quoted("\(error)"))) }
        let further = metadata.map { (reserved.contains($0) ? "metadata.\($0)" : $0, $1) }.sorted { $0.0 < $1.0 }
        for (key, value) in further {
            fields.append((key, LogLine.json(value, isNumber: LogLine.numbers.contains(key), depth: 0)))
        }
        text = "{" + fields.map { "\(LogLine.quoted($0)):\($1)" }.joined(separator: ",") + "}\n"
    }

    private static func json(_ value: Logger.MetadataValue, isNumber: Bool = false, depth: Int) -> String {
        switch value {
        case .dictionary(let fields) where depth < 8:
            let pairs = fields.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\(json($0.value, depth: depth + 1))" }
            return "{" + pairs.joined(separator: ",") + "}"
        case .array(let items) where depth < 8: return "[" + items.map { json($0, depth: depth + 1) }.joined(separator: ",") + "]"
        default:
            let text = "\(value)"
            if isNumber, let number = Int64(text) { return String(number) }
            return quoted(text)
        }
    }

    /// The text as a string of JSON. Control characters, also those beyond ASCII, and line separators are escaped.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if count > limit {
                quoted += " ... (cut)"
                break
            }
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.properties.generalCategory == .control, "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// RFC 3339, in UTC, with microseconds.
    private static func timestamp(_ time: Date) -> String {
        let microseconds = Int64((min(max(time.timeIntervalSince1970, 0), 2e11) * 1e6).rounded())
        let seconds = Date(timeIntervalSince1970: Double(microseconds / 1_000_000))
        let fraction = String(microseconds % 1_000_000)
        let whole = seconds.formatted(.iso8601).dropLast()
        return "\(whole).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)Z"
    }
}
