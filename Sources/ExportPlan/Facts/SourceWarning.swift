/// Damage inside a source that a rendering process concealed, as players do, or something else about it that the film's
/// author should know. The film is made all the same, and its export carries the warning.
///
/// The same source gives the same warnings on every machine. They are kept with the artifact, so that an export that
/// reuses the artifact has them, too.
package struct SourceWarning: Hashable, Sendable, Codable {
    /// The kinds of damage, as a closed list.
    package enum Code: String, Hashable, Sendable, Codable {
        /// Pictures could not be decoded; the last good one is shown instead.
        case frozenPictures
        /// Pictures were decoded from damaged data and may show it.
        case damagedPictures
        /// Sound could not be decoded; it is silent instead.
        case damagedSound
        /// The container marks packets as damaged, and they were copied without being decoded.
        case damagedPackets
        /// The file ends before its pictures do, according to the container.
        case missingPictures
        /// The file ends before its sound does, according to the container.
        case missingSound
        /// A drawing has text, which looks as the fonts of the machine that draws it do.
        case textInDrawing
        /// An animation has something that is not drawn.
        case undrawnInAnimation
        /// A picture's ICC profile is damaged, or meant for pixels that the decoder does not give, and is not used.
        case unusedProfile
    }

    package var code: Code
    /// Content hash of the source.
    package var source: String
    /// The time in the source at which the damage begins, in seconds.
    package var time: Double
    /// The number of affected pictures or packets, or of affected sound samples at the source's rate.
    package var count: Int
    /// The rest of the sentence that begins with the source's name, for example "could not be decoded at 3.2 s ...".
    package var message: String
    /// A time in the source, in seconds: for pictures the time of the last affected one, for sound the time at which it
    /// goes on. Nil means `time`.
    package var end: Double?

    package init(_ code: Code, source: String, time: Double, count: Int, message: String) {
        self.code = code
        self.source = source
        self.time = time
        self.count = count
        self.message = message
    }

    /// A warning about damage from one time of the source to another, with a generated message.
    /// - Parameters:
    ///   - start: the start in seconds.
    ///   - end: the end in seconds, as in the property `end`.
    package init(_ code: Code, source: String, from start: Double, to end: Double, count: Int) {
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
        case .textInDrawing:
            message =
                "has text, which is drawn with the fonts of the machine that renders the film, and may look different on another"
        case .undrawnInAnimation:
            message =
                "has effects, expressions, merged paths, mattes of a single shape or layers in three dimensions, which are not drawn"
        case .unusedProfile:
            message =
                "has an ICC profile that is damaged or not meant for its pixels; it is not used, and colours may look different elsewhere"
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

    /// Seconds with at most three decimals and without trailing zeros.
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
    /// How many warnings an artifact keeps. A longer list about a file that is damaged everywhere would be of no use.
    package static let limit = 100

    /// The warnings without duplicates, in their order, at most `limit`.
    package var distinct: [SourceWarning] {
        var seen: Set<SourceWarning> = []
        return Array(filter { seen.insert($0).inserted }.prefix(Self.limit))
    }

    /// The warnings in order of source, kind and time, at most `limit`. Warnings of one kind about one source that
    /// follow each other within half a second are joined, because damage may extend over several segments.
    package var combined: [SourceWarning] {
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
            // Two clips may show the same damage; overlapping ranges are not counted twice.
            let isNew = warning.code == .damagedSound ? warning.time >= end : warning.time > end
            result[result.count - 1] = SourceWarning(
                last.code, source: last.source, from: last.time, to: Swift.max(end, next),
                count: isNew ? last.count + warning.count : Swift.max(last.count, warning.count))
        }
        return result.distinct
    }
}
