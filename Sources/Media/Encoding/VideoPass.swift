/// Which pass of an encoding this is, and the statistics that it writes or reads.
package enum VideoPass: Hashable, Sendable {
    /// A single pass at the quality of the settings.
    case only
    /// A fast first pass at the quality of the settings, to measure the cost of pictures. libx264 and libx265 write
    /// their statistics to the path `statistics` and to the same path with a suffix of their own.
    case first(statistics: String)
    /// A second pass with the statistics of the first, to a bitrate in bits per second.
    case second(bitrate: Int, statistics: String)
}
