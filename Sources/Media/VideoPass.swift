/// How often an encoder sees the same pictures, and what it is told by the time before.
public enum VideoPass: Hashable, Sendable {
    /// Once, at the quality of its settings.
    case only
    /// Once more: in a hurry, at the quality of its settings, to find out what pictures cost. libx264 and libx265 write their statistics to
    /// the path `statistics`, and to one with a suffix of their own.
    case first(statistics: String)
    /// With what was found out, to a bitrate in bits per second.
    case second(bitrate: Int, statistics: String)
}
