import ExportPlan

/// How an operation is carried out. Given its values at one time, it returns the function that runs on the picture, so
/// that everything that is the same for all pixels (a matrix, a curve) is computed once per frame.
enum OperationBody: Sendable {
    case pixelwise(@Sendable (OperationInstant) -> PixelwiseStage)
    case spatial(@Sendable (OperationInstant) -> SpatialStage)
    /// A Gaussian blur with this standard deviation in pixels. It is linear, so its result is the same on red, green
    /// and blue as on luma and chroma. An opaque picture therefore need not be converted to RGB.
    case gaussian(@Sendable (OperationInstant) -> Double)
}

/// Changes one row in place.
typealias PixelwiseStage = (PixelRow) -> Void

/// Makes a new picture from a whole picture. If alpha is in use, input and output colours are premultiplied.
typealias SpatialStage = (FloatPicture) -> FloatPicture

/// An operation's values at one time of the film, and facts about the picture that it will run on.
struct OperationInstant {
    /// All values by parameter name.
    let values: [String: Double]
    /// The size of the picture in pixels.
    let size: FrameSize
    /// Seconds since the start of the clip or layer. Operations that move at the same speed at every frame rate use
    /// this.
    let seconds: Double
    /// Output frames since the start of the clip or layer, for operations that differ in every frame.
    let frame: Int
    /// The lookup table of an operation that reads a file.
    let table: LookupTable?

    /// A parameter's value. Asking for a parameter that the descriptor does not list is a programming error in the
    /// operation.
    subscript(_ name: String) -> Float {
        guard let value = values[name] else { preconditionFailure("the operation has no parameter '\(name)'") }
        return Float(value)
    }
}
