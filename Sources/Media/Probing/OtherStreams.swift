import CFFmpeg
import ExactTime
import ExportPlan

/// The picture and sound streams of a file that a player would not choose, such as a second language or a second camera.
/// A draft can choose them instead.
///
/// They never make a probe fail: a stream that cannot be decoded cannot be chosen, and the file plays all the same. Their
/// source times count from the origin of the usual streams, so that every choice is in time with the others.
struct OtherStreams {
    /// The most picture streams that can be chosen besides the usual one.
    private static let pictureStreams = 8
    /// The most pixels of their pictures, of each of which one is kept until the scan is over.
    private static let pixels = 10_000_000

    private var pictures: [Int: VideoFrame] = [:]
    private var sounds: [Int] = []

    /// Finds the streams, and decodes the first picture of each.
    /// - Parameter usual: the streams that a player would choose.
    /// - Throws: `MediaError` when the storage fails, or time or memory run out.
    init(of demuxer: Demuxer, beside usual: [Int]) throws(MediaError) {
        var tried = 0
        for index in 0..<Int(demuxer.context.pointee.nb_streams) where !usual.contains(index) {
            guard let stream = demuxer.streamPointer(index), let parameters = stream.pointee.codecpar,
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0,
                avcodec_find_decoder(parameters.pointee.codec_id) != nil
            else { continue }
            switch parameters.pointee.codec_type {
            case AVMEDIA_TYPE_VIDEO:
                let size = Int(parameters.pointee.width) * Int(parameters.pointee.height)
                guard tried < OtherStreams.pictureStreams, size <= OtherStreams.pixels else { continue }
                tried += 1
                let picture = try OtherStreams.firstPicture(of: demuxer.file, index)
                if let picture, picture.size.width * picture.size.height <= OtherStreams.pixels { pictures[index] = picture }
            case AVMEDIA_TYPE_AUDIO: sounds.append(index)
            default: break
            }
        }
    }

    /// The streams whose packets have to be scanned.
    var indexes: [Int] { pictures.keys.sorted() + sounds }

    /// - Returns: the first picture; nil when it cannot be decoded.
    private static func firstPicture(of file: SourceFile, _ index: Int) throws(MediaError) -> VideoFrame? {
        do throws(MediaError) {
            return try Probe.firstPicture(try Demuxer(file), index)
        } catch {
            guard error.failureClass == .input || error.failureClass == .environment, error.code != .changed else { throw error }
            try file.check()
            try file.checkTime()
            return nil
        }
    }

    /// - Returns: the facts in the order of the file; nil when there are none.
    func videoFacts(_ demuxer: Demuxer, _ scan: PacketScan, _ origin: MediaTime) throws(MediaError) -> [VideoFacts]? {
        var found: [VideoFacts] = []
        for (index, first) in pictures.sorted(by: { $0.key < $1.key }) {
            do throws(MediaError) {
                guard let facts = try Probe.videoFacts(demuxer, index, first, scan, origin) else { continue }
                try MediaLimits(demuxer.path).check(duration: facts.duration)
                found.append(facts)
            } catch {
                guard error.failureClass == .input, error.code != .changed else { throw error }
                try demuxer.file.check()
                try demuxer.file.checkTime()
            }
        }
        return found.isEmpty ? nil : found
    }

    /// - Returns: the facts in the order of the file; nil when there are none.
    func audioFacts(_ demuxer: Demuxer, _ scan: PacketScan, _ origin: MediaTime) -> [AudioFacts]? {
        let found = sounds.compactMap { index in
            scan.packetCount(of: index) == 0 ? nil : Probe.audioFacts(demuxer, index, scan, origin)
        }.filter { $0.duration > .zero && $0.duration <= MediaLimits.duration }
        return found.isEmpty ? nil : found
    }
}
