import CRlottie
import ExactTime
import ExportPlan
import FoundationEssentials
import Synchronization
import TextRendering

/// The frames of a Lottie animation, drawn by rlottie in the size at which they are shown. Every frame is drawn by itself,
/// so that reading may start anywhere and go in any order.
final class LottiePictures: PictureSequence {
    /// The value of `SourceFacts.container`, and of `VideoFacts.codec`.
    static let container = "lottie"
    static let codec = "lottie"

    let size: FrameSize
    let frameRate: FrameRate
    let frameCount: Int
    private let path: String
    private let animation: LottieAnimation
    private let view: FrameSize
    private let hasMore: Bool
    private var nextIndex = 0

    /// - Parameter view: the size of the whole; nil for the animation's own.
    /// - Throws: `MediaError` `unknownFormat`, `damaged`, `overLimit`, `missingCodec` or `cannotRead`.
    init(_ file: SourceFile, _ view: DrawnView? = nil) throws(MediaError) {
        path = file.path
        if let fault = spool_load_rlottie() {
            throw MediaError(
                .missingCodec, subject: path, message: "is a Lottie animation, and \(String(cString: fault))")
        }
        let (document, text) = try LottieDocument.read(file)
        (size, frameRate) = (document.size, try document.checkedFrameRate(path))
        hasMore = document.hasMore(in: text)
        self.view = view?.size ?? document.size
        guard let animation = try LottiePictures.limited(path, { LottieAnimation(text) }) else {
            throw MediaError(
                .damaged, subject: path,
                message: "is a Lottie animation that rlottie cannot read; export it again from the program that made it")
        }
        self.animation = animation
        frameCount = animation.frameCount
        guard frameCount > 0 else {
            throw MediaError(.damaged, subject: path, message: "is damaged: it has no frame")
        }
        try PictureLimits.checkAnimation(size, frames: frameCount, path)
    }

    var isDrained: Bool { nextIndex >= frameCount }

    var warning: SourceWarning.Code? { hasMore ? .undrawnInAnimation : nil }

    func next() throws(MediaError) -> TimedPicture? {
        guard !isDrained else { return nil }
        let (index, size, animation) = (nextIndex, view, animation)
        let pixels = try LottiePictures.limited(path) { animation.pixels(ofFrame: index, size) }
        nextIndex += 1
        return TimedPicture(timestamp: Int64(index), frame: try VideoFrame(rgba: pixels, size))
    }

    func seek(to timestamp: Int64) -> Bool {
        nextIndex = Int(min(max(0, timestamp), Int64(frameCount - 1)))
        return true
    }

    func rewind() { nextIndex = 0 }

    /// Does rlottie's work within the time that one frame may take.
    private static func limited<Value>(_ path: String, _ work: @escaping () -> Value) throws(MediaError) -> Value {
        switch LimitedWork.result(work) {
        case .done(let value): return value
        case .tooSlow:
            throw MediaError(
                .overLimit, subject: path,
                message: "takes more than \(Int(LimitedWork.seconds)) s of processor time to draw one frame; simplify it, or "
                    + "render it to a video with transparency")
        case .noThread:
            throw MediaError(
                .outOfMemory, subject: path, message: "needs a thread of its own to be drawn, and none could be started")
        }
    }
}

/// Owns rlottie's animation. One thread uses it at a time.
private final class LottieAnimation: @unchecked Sendable {
    // Unchecked: `LottiePictures` hands it to one thread after the other, and waits for each.
    private let pointer: OpaquePointer
    let frameCount: Int

    /// rlottie keeps documents by their keys, so each needs one of its own.
    private static let keys = Atomic<Int>(0)

    init?(_ text: Data) {
        let key = "\(LottieAnimation.keys.add(1, ordering: .relaxed).newValue)"
        // rlottie reads in place up to a zero byte.
        var bytes = [UInt8](text)
        bytes.append(0)
        let made = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { lottie_animation_from_data($0.assumingMemoryBound(to: CChar.self), key, "") }
        }
        guard let made else { return nil }
        pointer = made
        frameCount = Int(lottie_animation_get_totalframe(made))
    }

    deinit { lottie_animation_destroy(pointer) }

    /// A frame in RGBA with straight alpha, as large as fits into `size`, in the middle of it.
    func pixels(ofFrame index: Int, _ size: FrameSize) -> [UInt8] {
        var words = [UInt32](repeating: 0, count: size.width * size.height)
        words.withUnsafeMutableBufferPointer { words in
            lottie_animation_render(pointer, index, words.baseAddress, size.width, size.height, size.width * 4)
        }
        return words.withUnsafeBytes { PremultipliedPixels.straight($0, stride: size.width * 4, size) }
    }
}
