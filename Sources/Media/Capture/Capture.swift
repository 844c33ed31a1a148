import CFFmpeg
import ExactTime
package import ExportPlan
import Glibc

/// Captures media that can be read only once (a pipe, raw samples, a network stream) into a file that can be read
/// again. Nothing is encoded.
///
/// A byte stream is stored unchanged, in whatever container it has. Raw media, streams without times and what
/// libavformat fetches are written packet by packet into a file that keeps their clock (`CaptureWriter`).
package enum Capture {
    /// The most bytes that may follow the last packet of a file, such as its index.
    private static let indexSize = 256 << 20

    /// - Parameters:
    ///   - sources: one source, or one with the picture and one with the sound.
    ///   - path: the file to write.
    ///   - report: is told about twice a second what has come in.
    /// - Returns: what was captured, and why the capture ended.
    /// - Throws: `MediaError`.
    package static func run(
        _ sources: [CaptureSource], to path: String, _ limits: CaptureLimits, report: @escaping (CapturedMedia) -> Void
    ) throws(MediaError) -> CapturedMedia {
        var meter = CaptureMeter(limits, path, report)
        if sources.count == 1, let source = sources.first, source.raw == nil, source.format == nil, !source.isAddress {
            return try copyBytes(source, to: path, limits, &meter)
        }
        var inputs: [CaptureInput] = []
        for source in sources { inputs.append(try CaptureInput(source, copy: nil)) }
        return try copyPackets(inputs, to: path, limits, &meter)
    }

    private static func copyBytes(
        _ source: CaptureSource, to path: String, _ limits: CaptureLimits, _ meter: inout CaptureMeter
    ) throws(MediaError) -> CapturedMedia {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw cannotWrite(path, errno) }
        defer { close(file) }
        let input = try CaptureInput(source, copy: file)
        if input.hasNoTimes {
            input.stream?.stopCopying()
            return try copyPackets([input], to: path, limits, &meter)
        }
        let packet = try Packet()
        var ending: CapturedMedia.Ending?
        while ending == nil, try input.read(into: packet) {
            ending =
                limits.isReached(at: input.reach)
                ? .duration : meter.note(byteCount: input.stream?.byteCount ?? 0, reach: input.reach)
        }
        if input.hasBroken { input.stream?.drain(upTo: indexSize) }
        if let error = input.stream?.copyError, error != 0 { throw cannotWrite(path, error) }
        return CapturedMedia(
            byteCount: input.stream?.byteCount ?? 0, duration: MediaTime(input.reach), ending: ending ?? .input)
    }

    private static func copyPackets(
        _ inputs: [CaptureInput], to path: String, _ limits: CaptureLimits, _ meter: inout CaptureMeter
    ) throws(MediaError) -> CapturedMedia {
        let writer = try CaptureWriter(path, inputs)
        let packet = try Packet()
        var ending: CapturedMedia.Ending?
        var ended: Set<Int> = []
        // The input that is furthest behind is read next, so that two pipes are emptied at the same pace.
        while let next = inputs.indices.filter({ !ended.contains($0) }).min(by: { inputs[$0].reach < inputs[$1].reach }) {
            guard try inputs[next].read(into: packet) else {
                ended.insert(next)
                continue
            }
            try writer.write(packet, of: next)
            if limits.isReached(at: inputs[next].reach) {
                ended.insert(next)
                ending = .duration
            } else if let reached = meter.note(byteCount: writer.byteCount, reach: inputs[next].reach) {
                ending = reached
                break
            }
        }
        try writer.checkTimes()
        guard writer.packetCount > 0 else { throw nothingCame(inputs[0]) }
        let reach = inputs.map(\.reach).max() ?? .zero
        return CapturedMedia(byteCount: try writer.finish(), duration: MediaTime(reach), ending: ending ?? .input)
    }

    private static func nothingCame(_ input: CaptureInput) -> MediaError {
        let reason =
            input.hasBroken
            ? "breaks off before anything comes, or cannot be read from start to end; give it in a container that can be, such as "
                + "Matroska or MPEG-TS" : "ended before anything came"
        return MediaError(.damaged, subject: input.name, message: reason)
    }

    private static func cannotWrite(_ path: String, _ error: Int32) -> MediaError {
        MediaError(.cannotWrite, subject: path, message: "cannot be written: \(String(cString: strerror(error)))")
    }
}
