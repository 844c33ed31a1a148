import CEbur128
import CRubberBand

/// The libraries for loudness and for time-stretching.
package enum SoundLibraries {
    /// The names and versions of the libraries in use.
    package static var versions: [(name: String, version: String)] {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        ebur128_get_version(&major, &minor, &patch)
        // Rubber Band tells its version only to the compiler.
        return [("librubberband", RUBBERBAND_VERSION), ("libebur128", "\(major).\(minor).\(patch)")]
    }
}
