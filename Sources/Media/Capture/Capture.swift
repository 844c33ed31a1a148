import CFFmpeg
package import ExactTime
import ExportPlan
import Glibc

/// Captures media that can be read only once (a pipe, raw samples, a network stream) into a file that can be read
/// again. Nothing is encoded.
///
/// A byte stream is stored unchanged, in whatever container it has. Raw media, streams without times and what
/// libavformat fetches are written packet by packet into a file that keeps their clock (`CaptureWriter`).
package enum Capture {
    /// The result of a capture.
    package struct Summary: Hashable, Sendable, Codable {
        /// The size of the file, in bytes.
        package var byteCount: Int
        /// Whether the capture ended at the limit, before the end of the input.
        package var reachedLimit: Bool
    }

    /// Seconds captured beyond the limit, because decoders reorder pictures and need the packets that follow the last
    /// one.
    private static let margin = Rational(1, 2)
    /// The most bytes that may follow the last packet of a file, such as its index.
    private static let indexSize = 256 << 20

    /// - Parameters:
    ///   - sources: one source, or one with the picture and one with the sound.
    ///   - path: the file to write.
    ///   - limit: the duration to capture, in the media's own time; nil captures everything.
    /// - Throws: `MediaError`.
    package static func run(_ sources: [CaptureSource], to path: String, limit: MediaTime?) throws(MediaError) -> Summary {
        if sources.count == 1, let source = sources.first, source.raw == nil, source.format == nil, !source.isAddress {
            return try copyBytes(source, to: path, limit)
        }
        var inputs: [CaptureInput] = []
        for source in sources { inputs.append(try CaptureInput(source, copy: nil)) }
        return try copyPackets(inputs, to: path, limit)
    }

    private static func copyBytes(_ source: CaptureSource, to path: String, _ limit: MediaTime?) throws(MediaError) -> Summary {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw cannotWrite(path, errno) }
        defer { close(file) }
        let input = try CaptureInput(source, copy: file)
        if input.hasNoTimes {
            input.stream?.stopCopying()
            return try copyPackets([input], to: path, limit)
        }
        let packet = try Packet()
        var reachedLimit = false
        while !reachedLimit, try input.read(into: packet) {
            if let limit { reachedLimit = input.reach >= limit.seconds + margin }
        }
        if input.hasBroken { input.stream?.drain(upTo: indexSize) }
        if let error = input.stream?.copyError, error != 0 { throw cannotWrite(path, error) }
        return Summary(byteCount: input.stream?.byteCount ?? 0, reachedLimit: reachedLimit)
    }

    private static func copyPackets(
        _ inputs: [CaptureInput], to path: String, _ limit: MediaTime?
    ) throws(MediaError) -> Summary {
        let writer = try CaptureWriter(path, inputs)
        let packet = try Packet()
        var reachedLimit = false
        var ended: Set<Int> = []
        // The input that is furthest behind is read next, so that two pipes are emptied at the same pace.
        while let next = inputs.indices.filter({ !ended.contains($0) }).min(by: { inputs[$0].reach < inputs[$1].reach }) {
            guard try inputs[next].read(into: packet) else {
                ended.insert(next)
                continue
            }
            try writer.write(packet, of: next)
            if let limit, inputs[next].reach >= limit.seconds + margin {
                ended.insert(next)
                reachedLimit = true
            }
        }
        guard writer.packetCount > 0 else { throw nothingCame(inputs[0]) }
        return Summary(byteCount: try writer.finish(), reachedLimit: reachedLimit)
    }

    private static func nothingCame(_ input: CaptureInput) -> MediaError {
        let reason =
            input.hasBroken
            ? "breaks off before anything comes, or cannot be read from start to end" : "ended before anything came"
        return MediaError(.damaged, subject: input.name, message: reason)
    }

    private static func cannotWrite(_ path: String, _ error: Int32) -> MediaError {
        MediaError(.cannotWrite, subject: path, message: "cannot be written: \(String(cString: strerror(error)))")
    }
}
