/// How a transform puts a picture onto the canvas.
public struct PlacingProgram: Hashable, Sendable, Codable {
    public enum Way: String, Hashable, Sendable, Codable {
        /// As it is: it has the canvas's size and place.
        case asItIs
        /// Averaged or interpolated along its axes.
        case alongAxes
        /// Rows become columns, then along the axes.
        case quarterTurn
        /// Interpolated sample by sample.
        case interpolated
        /// Averaged along its axes, then interpolated sample by sample.
        case shrunkAndInterpolated
        /// In perspective, by averages over what each sample sees.
        case perspective
    }

    public var way: Way
    /// Of the picture that is put down.
    public var size: FrameSize
    /// Whether place, size or angle move.
    public var isMoving: Bool

    public init(way: Way, size: FrameSize, isMoving: Bool) {
        self.way = way
        self.size = size
        self.isMoving = isMoving
    }
}
