package import ExactTime

/// The media that `spool-render capture` has taken in: a message about twice a second, and one at the end.
package struct CapturedMedia: Hashable, Sendable, Codable {
    /// Why a capture ended.
    package enum Ending: String, CaseIterable, Hashable, Sendable, Codable {
        /// The input ended, or the user ended the capture.
        case input
        /// As much as was wanted has come in.
        case duration
        /// The file has as many bytes as it may have.
        case size
        /// The disk has as few bytes free as are to stay free.
        case space
    }

    /// The size of the file, in bytes.
    package var byteCount: Int
    /// How much has come in, in the media's own time.
    package var duration: MediaTime
    /// Nil while the capture goes on.
    package var ending: Ending?

    package init(byteCount: Int, duration: MediaTime, ending: Ending? = nil) {
        self.byteCount = byteCount
        self.duration = duration
        self.ending = ending
    }
}
