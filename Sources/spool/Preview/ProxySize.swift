import DraftCompiler
import ExportPlan
import FoundationEssentials

/// The size of a preview's pictures.
struct ProxySize {
    /// The heights that can be asked for.
    static let heights = 90...2160
    /// The heights that are tried, the largest first.
    private static let usual = [720, 540, 360, 270, 180]
    /// How much of the time of the film the rendering may take, by prediction.
    private static let share = 0.6

    let size: FrameSize
    /// The reason for this size, as a sentence.
    let reason: String

    /// - Parameters:
    ///   - height: the height that was asked for; nil for one that the machine keeps up with.
    ///   - seconds: predicts how many seconds of one slot the film takes at a size.
    init(of canvas: FrameSize, height: Int?, duration: Double, slots: Int, seconds: (FrameSize) -> Double) {
        if let height {
            size = ProxySize.scaled(canvas, to: height)
            reason = "The height was asked for."
            return
        }
        let candidates = ProxySize.usual.filter { $0 < canvas.height }.map { ProxySize.scaled(canvas, to: $0) }
        let sizes = canvas.height <= ProxySize.usual[0] ? [ProxySize.scaled(canvas, to: canvas.height)] + candidates : candidates
        for size in sizes {
            let share = seconds(size) / Double(max(1, slots)) / max(duration, 0.001)
            guard share <= ProxySize.share || size == sizes.last else { continue }
            self.size = size
            let times = (1 / max(share, 0.001) * 10).rounded() / 10
            reason =
                share <= 1
                ? "This machine renders it about \(times) times as fast as it plays."
                : "This machine renders it slower than it plays, about \(times) times; it waits for the pictures."
            return
        }
        (size, reason) = (ProxySize.scaled(canvas, to: canvas.height), "The film is small.")
    }

    /// The size of a height in the shape of a canvas, with even sides.
    private static func scaled(_ canvas: FrameSize, to height: Int) -> FrameSize {
        func even(_ side: Double) -> Int { max(2, Int((side / 2).rounded()) * 2) }
        let height = min(height, canvas.height)
        return FrameSize(width: even(Double(canvas.width * height) / Double(max(1, canvas.height))), height: even(Double(height)))
    }
}
