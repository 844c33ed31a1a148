import ExportPlan

/// How an operation is done: given its values at one instant, it makes the work to be run on the picture, so that what
/// is the same for all pixels (a matrix, a curve) is computed once a frame.
enum OperationBody: Sendable {
    case pixelwise(@Sendable (OperationInstant) -> PixelwiseStage)
    case spatial(@Sendable (OperationInstant) -> SpatialStage)
    /// A Gaussian blur of this standard deviation in pixels. Being linear, it is the same on red, green, blue and on luma and
    /// chroma, so that an opaque picture need not be converted.
    case gaussian(@Sendable (OperationInstant) -> Double)
}

/// Changes one row in place.
typealias PixelwiseStage = (PixelRow) -> Void

/// Makes a new picture of a whole one. Where there is alpha, colours come and go multiplied by it.
typealias SpatialStage = (FloatPicture) -> FloatPicture

/// An operation's values at one instant of the film, and the picture that it is about to meet.
struct OperationInstant {
    /// By parameter name, complete.
    let values: [String: Double]
    /// Of the picture, in pixels.
    let size: FrameSize
    /// Since the beginning of the clip or layer. What moves at the same speed at every frame rate goes by this.
    let seconds: Double
    /// Output frames since then, for what is new in every frame.
    let frame: Int
    /// For an operation that reads a file.
    let table: LookupTable?

    /// A parameter's value; a name that the descriptor lacks is a mistake in the operation's own file.
    subscript(_ name: String) -> Float {
        guard let value = values[name] else { preconditionFailure("the operation has no parameter '\(name)'") }
        return Float(value)
    }
}
