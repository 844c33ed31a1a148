/// How long a frame of an animated picture stands. Many files ask for no time at all, and no browser obeys: 10 ms and
/// less count as 100 ms.
enum AnimationDelay {
    /// - Parameter milliseconds: what the file says.
    static func shown(milliseconds: Int64) -> Int64 { milliseconds <= 10 ? 100 : milliseconds }

    /// The same for libav's demuxers, as options: GIF in hundredths of a second, APNG in frames a second. (That of APNG
    /// divides whole numbers: 90 frames a second and a fraction, 11 ms, still count.)
    static let demuxerOptions = ["min_delay": 2, "default_delay": 10, "max_fps": 90, "default_fps": 10]
}
