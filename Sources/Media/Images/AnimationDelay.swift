/// How long a frame of an animated picture is shown. Many files declare a delay of zero, which no browser obeys: a
/// delay of 10 ms or less counts as 100 ms.
enum AnimationDelay {
    /// - Parameter milliseconds: the delay that the file declares.
    static func shown(milliseconds: Int64) -> Int64 { milliseconds <= 10 ? 100 : milliseconds }

    /// The same rule as options of libav's demuxers: GIF counts hundredths of a second, APNG counts frames per second.
    /// The APNG demuxer compares whole numbers, so 11 ms (90.9 frames per second) counts as 90 and is kept.
    static let demuxerOptions = ["min_delay": 2, "default_delay": 10, "max_fps": 90, "default_fps": 10]
}
