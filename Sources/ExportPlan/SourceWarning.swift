/// Damage inside a source that a rendering process played over, as players do. The film is made all the same; its export
/// carries the warning.
///
/// The same source gives the same warnings on every machine: they are kept with the artifact, and an export that reuses the
/// artifact has them, too.
public struct SourceWarning: Hashable, Sendable, Codable {
    /// The closed list of what is concealed.
    public enum Code: String, Hashable, Sendable, Codable {
        /// Pictures could not be decoded; the last good one is shown instead.
        case frozenPictures
        /// Pictures were decoded from damaged data and may show it.
        case damagedPictures
        /// Sound could not be decoded; it is silent instead.
        case damagedSound
        /// The container says of packets that they are damaged, and they were copied without being decoded.
        case damagedPackets
        /// The file ends before its pictures do, by the word of its container.
        case missingPictures
        /// The same of its sound.
        case missingSound
    }

    public var code: Code
    /// Content hash of the source.
    public var source: String
    /// Seconds in the source at which the damage begins.
    public var time: Double
    /// Pictures or packets that are affected; of sound, samples of the source.
    public var count: Int
    /// Goes on where the source's name ends: "could not be decoded at 3.2 s ...".
    public var message: String
    /// Seconds in the source: of pictures where the last one stands, of sound where it goes on. Nil is `time`.
    public var end: Double?

    public init(_ code: Code, source: String, time: Double, count: Int, message: String) {
        self.code = code
        self.source = source
        self.time = time
        self.count = count
        self.message = message
    }

    /// Damage from one time of the source to another, in words.
    /// - Parameters:
    ///   - start: seconds.
    ///   - end: seconds; see the property.
    public init(_ code: Code, source: String, from start: Double, to end: Double, count: Int) {
        let place =
            SourceWarning.text(start) == SourceWarning.text(end)
            ? "at \(SourceWarning.text(start)) s" : "from \(SourceWarning.text(start)) s to \(SourceWarning.text(end)) s"
        let pictures = count == 1 ? "1 picture" : "\(count) pictures"
        let message: String
        switch code {
        case .frozenPictures:
            message = "is damaged \(place): \(pictures) cannot be decoded, and the nearest good one is shown instead"
        case .damagedPictures: message = "is damaged \(place): \(pictures) may show it"
        case .damagedSound: message = "is damaged \(place): \(count) samples of its sound cannot be decoded and are silent"
        case .damagedPackets:
            let packets = count == 1 ? "1 packet" : "\(count) packets"
            message = "is damaged \(place): \(packets) marked as damaged by the container, and copied as found"
        case .missingPictures:
            message =
                "is cut short: its pictures end at \(SourceWarning.text(start)) s of \(SourceWarning.text(end)) s, \(pictures) missing"
        case .missingSound:
            message =
                "is cut short: its sound ends at \(SourceWarning.text(start)) s of \(SourceWarning.text(end)) s, "
                + "\(SourceWarning.text(end - start)) s missing"
        }
        self.init(code, source: source, time: start, count: count, message: message)
        self.end = end
    }

    /// Seconds as people write them: at most three decimals.
    private static func text(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let (whole, rest) = (thousandths / 1000, thousandths % 1000)
        guard rest != 0 else { return "\(whole)" }
        var digits = String(1000 + abs(rest)).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(whole == 0 && rest < 0 ? "-" : "")\(whole).\(digits)"
    }
}

extension [SourceWarning] {
    /// How many warnings an artifact keeps; a file that is damaged everywhere needs no longer list.
    public static let limit = 100

    /// Warnings without those that say the same, in their order, at most `limit`.
    public var distinct: [SourceWarning] {
        var seen: Set<SourceWarning> = []
        return Array(filter { seen.insert($0).inserted }.prefix(Self.limit))
    }

    /// Warnings of one kind about one source that follow each other within half a second become one, as where damage reaches over
    /// several segments; in order of source, kind and time, at most `limit`.
    public var combined: [SourceWarning] {
        let ordered = sorted { left, right in
            if left.source != right.source { return left.source < right.source }
            if left.code != right.code { return left.code.rawValue < right.code.rawValue }
            return left.time != right.time ? left.time < right.time : left.count < right.count
        }
        var result: [SourceWarning] = []
        for warning in ordered {
            guard let last = result.last, last.source == warning.source, last.code == warning.code, let end = last.end,
                let next = warning.end, warning.time <= end + 0.5
            else {
                result.append(warning)
                continue
            }
            // Two clips may show the same damage: what overlaps is not counted twice.
            let isNew = warning.code == .damagedSound ? warning.time >= end : warning.time > end
            result[result.count - 1] = SourceWarning(
                last.code, source: last.source, from: last.time, to: Swift.max(end, next),
                count: isNew ? last.count + warning.count : Swift.max(last.count, warning.count))
        }
        return result.distinct
    }
}
