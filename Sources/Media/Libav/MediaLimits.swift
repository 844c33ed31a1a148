package import ExactTime
import ExportPlan
import Glibc

/// The limits of sound and video files, besides those of their pictures (`PictureLimits`). Files are untrusted. A probe
/// checks the limits while it reads, so that a file of a billion packets costs no more than one of ten million.
package struct MediaLimits {
    /// The most streams of a file.
    package static let streams = 64
    /// The most packets of the streams that are played.
    package static let packets = 10_000_000
    /// The longest source: 100 hours.
    package static let duration = MediaTime(seconds: 360_000)
    /// The most processor time of a probe, in seconds.
    package static let processorTime = 900.0

    private let path: String
    private let packetLimit: Int
    private let start: Double
    private let timeLimit: Double
    private var packetCount = 0

    /// - Parameters:
    ///   - packets: the most packets to accept.
    ///   - processorTime: the most processor time of this process from now on, in seconds.
    package init(_ path: String, packets: Int = MediaLimits.packets, processorTime: Double = MediaLimits.processorTime) {
        self.path = path
        packetLimit = packets
        timeLimit = processorTime
        start = MediaLimits.processorSeconds()
    }

    /// Counts a packet.
    /// - Throws: `MediaError` `overLimit`.
    package mutating func countPacket() throws(MediaError) {
        packetCount += 1
        guard packetCount <= packetLimit else { throw error("has more than \(packetLimit) packets; shorten it") }
        if packetCount % 1024 == 0 { try checkTime() }
    }

    /// - Throws: `MediaError` `overLimit`.
    package func checkTime() throws(MediaError) {
        guard MediaLimits.processorSeconds() - start <= timeLimit else {
            throw error("takes more than \(Int(timeLimit)) s of processor time to probe; encode it again, or shorten it")
        }
    }

    /// - Throws: `MediaError` `overLimit`.
    package func check(streamCount: Int) throws(MediaError) {
        guard streamCount <= MediaLimits.streams else {
            throw error("has \(streamCount) streams; files with at most \(MediaLimits.streams) are read")
        }
    }

    /// - Throws: `MediaError` `overLimit`.
    package func check(duration: MediaTime?) throws(MediaError) {
        guard let duration, duration > MediaLimits.duration else { return }
        throw error("is longer than 100 hours; cut it into shorter files")
    }

    private func error(_ message: String) -> MediaError { MediaError(.overLimit, subject: path, message: message) }

    /// The processor time that this process has used on all processors, in seconds.
    private static func processorSeconds() -> Double {
        var time = timespec()
        // This fails for no known process. If it does, nothing is limited here, and the limit of the process applies.
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
