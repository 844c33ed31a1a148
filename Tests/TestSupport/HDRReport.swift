import ExactTime

/// ffprobe's facts about a film's colours and HDR metadata.
package struct HDRReport: Sendable {
    /// The stream's fields: `pix_fmt`, `color_space` and so on.
    package let fields: [String: String]
    /// The container's HDR metadata: coordinates in 1/50000, luminances in 1/10000 cd/m2, content light in cd/m2.
    package let container: [String: Int]
    /// The stream's own HDR metadata, from its first picture.
    package let picture: [String: Int]

    package static func of(_ path: String) async throws -> HDRReport {
        let stream = try await lines(["-show_streams", path])
        let frame = try await lines(["-show_frames", "-read_intervals", "%+#1", path])
        return HDRReport(fields: stream, container: hdrMetadata(stream), picture: hdrMetadata(frame))
    }

    private static func lines(_ options: [String]) async throws -> [String: String] {
        let text = try await FFmpegTool.ffprobe(["-select_streams", "v:0"] + options)
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func hdrMetadata(_ fields: [String: String]) -> [String: Int] {
        var found: [String: Int] = [:]
        for name in TenBitClip.hdrMetadata.keys {
            guard let value = fields[name].flatMap({ Rational(text: $0) }) else { continue }
            let steps = name.hasSuffix("luminance") ? 10_000 : name.hasPrefix("max_") ? 1 : 50_000
            found[name] = (value * Rational(steps)).rounded
        }
        return found
    }
}
