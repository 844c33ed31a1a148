public import ExactTime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What ffprobe says about a file, read from its JSON.
public struct FFprobeReport: Decodable, Sendable {
    public struct Stream: Decodable, Sendable {
        public struct SideData: Decodable, Sendable {
            public let rotation: Double?
        }

        public let codecType: String?
        public let codecName: String?
        public let width: Int?
        public let height: Int?
        public let pixFmt: String?
        public let sampleAspectRatio: String?
        public let rFrameRate: String?
        public let avgFrameRate: String?
        public let timeBase: String?
        public let startPts: Int64?
        public let durationTs: Int64?
        public let duration: String?
        public let nbFrames: String?
        public let nbReadFrames: String?
        public let sampleRate: String?
        public let channels: Int?
        public let colorRange: String?
        public let colorSpace: String?
        public let colorPrimaries: String?
        public let colorTransfer: String?
        public let sideDataList: [SideData]?
        public let tags: [String: String]?
    }

    public struct Format: Decodable, Sendable {
        public let duration: String?
        public let tags: [String: String]?
    }

    public let streams: [Stream]
    public let format: Format

    /// - Parameter options: further questions, such as `-count_frames`.
    public static func of(_ path: String, _ options: [String] = []) async throws -> FFprobeReport {
        let text = try await FFmpegTool.ffprobe(options + ["-show_streams", "-show_format", "-of", "json", path])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(FFprobeReport.self, from: Data(text.utf8))
    }

    /// A length as ffprobe writes that of a file: seconds with six decimals, the rest cut off.
    public static func microseconds(_ time: MediaTime) -> String {
        let count = (time.seconds * Rational(1_000_000)).floor
        let fraction = String(count % 1_000_000)
        return "\(count / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    public var video: Stream? { streams.first { $0.codecType == "video" } }
    public var audio: Stream? { streams.first { $0.codecType == "audio" } }
}

extension FFprobeReport.Stream {
    /// Degrees counter-clockwise, as ffprobe counts them; 0 where nothing is turned.
    public var rotation: Double { sideDataList?.compactMap(\.rotation).first ?? 0 }

    /// Seconds that the stream lasts, in whole ticks of its clock.
    public var exactDuration: MediaTime? {
        guard let ticks = durationTs, let base = timeBase.flatMap({ Rational(text: $0) }) else { return nil }
        return MediaTime(ticks: ticks, timeBase: base)
    }
}
