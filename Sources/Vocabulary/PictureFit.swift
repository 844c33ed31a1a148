/// How a frame fills a picture of another shape.
package enum PictureFit: String, CaseIterable, Hashable, Sendable, Codable {
    /// The whole frame, with black beside it.
    case contain
    /// The middle of the frame, which fills the picture.
    case cover
    /// The whole frame, stretched.
    case fill

    package var scalingMode: ScalingMode {
        switch self {
        case .contain: .aspectFit
        case .cover: .aspectFill
        case .fill: .fill
        }
    }
}
