package import ExactTime
import FoundationEssentials

/// ffprobe's facts about a file, read from its JSON.
package struct FFprobeReport: Decodable, Sendable {
    package struct Stream: Decodable, Sendable {
        package struct SideData: Decodable, Sendable {
            package let rotation: Double?
        }

        package let codecType: String?
        package let codecName: String?
        package let width: Int?
        package let height: Int?
        package let pixFmt: String?
        package let sampleAspectRatio: String?
        package let rFrameRate: String?
        package let avgFrameRate: String?
        package let timeBase: String?
        package let startPts: Int64?
        package let durationTs: Int64?
        package let duration: String?
        package let nbFrames: String?
        package let nbReadFrames: String?
        package let sampleRate: String?
        package let channels: Int?
        package let colorRange: String?
        package let colorSpace: String?
        package let colorPrimaries: String?
        package let colorTransfer: String?
        package let sideDataList: [SideData]?
        package let tags: [String: String]?
    }

    package struct Format: Decodable, Sendable {
        package let duration: String?
        package let tags: [String: String]?
    }

    package let streams: [Stream]
    package let format: Format

    /// - Parameter options: further options, such as `-count_frames`.
    package static func of(_ path: String, _ options: [String] = []) async throws -> FFprobeReport {
        let text = try await FFmpegTool.ffprobe(options + ["-show_streams", "-show_format", "-of", "json", path])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(FFprobeReport.self, from: Data(text.utf8))
    }

    /// A file's duration as ffprobe writes it: seconds with six decimals, the rest cut off.
    package static func microseconds(_ time: MediaTime) -> String {
        let count = (time.seconds * Rational(1_000_000)).floor
        let fraction = String(count % 1_000_000)
        return "\(count / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }

    package var video: Stream? { streams.first { $0.codecType == "video" } }
    package var audio: Stream? { streams.first { $0.codecType == "audio" } }
}

extension FFprobeReport.Stream {
    /// The rotation in degrees counter-clockwise, as ffprobe counts it; 0 if the picture is not rotated.
    package var rotation: Double { sideDataList?.compactMap(\.rotation).first ?? 0 }

    /// The duration of the stream in seconds, exactly, from whole ticks of its clock.
    package var exactDuration: MediaTime? {
        guard let ticks = durationTs, let base = timeBase.flatMap({ Rational(text: $0) }) else { return nil }
        return MediaTime(ticks: ticks, timeBase: base)
    }
}
