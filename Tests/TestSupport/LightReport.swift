import ExactTime

/// What ffprobe says of a film's colours and of its light.
public struct LightReport: Sendable {
    /// Of the stream: `pix_fmt`, `color_space` and so on.
    public let fields: [String: String]
    /// What the container says: coordinates in 1/50000, luminances in 1/10000 cd/m2, content light in cd/m2.
    public let container: [String: Int]
    /// What the stream itself says, as the first picture has it.
    public let picture: [String: Int]

    public static func of(_ path: String) async throws -> LightReport {
        let stream = try await lines(["-show_streams", path])
        let frame = try await lines(["-show_frames", "-read_intervals", "%+#1", path])
        return LightReport(fields: stream, container: light(stream), picture: light(frame))
    }

    private static func lines(_ options: [String]) async throws -> [String: String] {
        let text = try await FFmpegTool.ffprobe(["-select_streams", "v:0"] + options)
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func light(_ fields: [String: String]) -> [String: Int] {
        var found: [String: Int] = [:]
        for name in DeepClip.light.keys {
            guard let value = fields[name].flatMap({ Rational(text: $0) }) else { continue }
            let steps = name.hasSuffix("luminance") ? 10_000 : name.hasPrefix("max_") ? 1 : 50_000
            found[name] = (value * Rational(steps)).rounded
        }
        return found
    }
}
