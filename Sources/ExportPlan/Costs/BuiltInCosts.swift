import Vocabulary

/// The coefficients for a machine that nobody has measured: seconds of one slot for a unit of each feature.
///
/// They are those of an ordinary machine of the 2020s. The proportions matter more than the seconds, because they decide
/// how tenants share a farm before anything is measured.
enum BuiltInCosts {
    /// The coefficients in the order of `JobKind.features`, all above zero.
    static func coefficients(of costClass: CostClass) -> [Double] {
        costClass.kind.features.map { coefficient(of: $0, costClass) }
    }

    private static func coefficient(of feature: JobFeature, _ costClass: CostClass) -> Double {
        switch feature {
        case .start: costClass.codec == nil ? 0.2 : 0.3
        case .encodedPixels: encoding(costClass.codec ?? .h264) * (costClass.kind == .measure ? 0.5 : 1)
        case .decodedPixels: 0.004
        case .drawnPixels: 0.0015
        case .filteredPixels: 0.005
        case .joinedPixels: 0.003
        case .mixedSound: 0.005
        case .stretchedSound: 0.08
        case .encodedSound, .masteredSound: 0.01
        case .frames: 0.0001
        case .parts: costClass.kind == .allocation ? 0.01 : 0.002
        }
    }

    /// Seconds to encode a megapixel-frame with the speed `medium`.
    private static func encoding(_ codec: VideoCodec) -> Double {
        switch codec {
        case .h264: 0.04
        case .hevc: 0.15
        case .vp9: 0.12
        case .av1: 0.1
        case .prores: 0.03
        case .gif: 0.02
        case .webp: 0.2
        case .png: 0.05
        case .mjpeg: 0.015
        case .tiff: 0.03
        case .rawvideo: 0.005
        }
    }
}
