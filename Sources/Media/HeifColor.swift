import CHeif
import ExportPlan

/// What the RGB of a HEIC or AVIF still means: its primaries and transfer, from its nclx profile or else its ICC profile.
/// The matrix and the range are undone by the time it is RGB.
enum HeifColor {
    /// - Parameters:
    ///   - handle: of the picture in the file.
    ///   - image: decoded; carries what only the coded picture says.
    static func description(_ handle: OpaquePointer, _ image: OpaquePointer) -> ColorDescription {
        var color = ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true)
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        if heif_image_handle_get_nclx_color_profile(handle, &profile).code == heif_error_Ok, let nclx = profile {
            defer { heif_nclx_color_profile_free(nclx) }
            apply(nclx.pointee, to: &color)
            // Unspecified there: an ICC profile beside it may still know.
            if nclx.pointee.color_primaries != heif_color_primaries_unspecified { return color }
        }
        let count = heif_image_handle_get_raw_color_profile_size(handle)
        if count > 0, count <= ICCProfile.maximumBytes {
            var bytes = [UInt8](repeating: 0, count: count)
            if heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok {
                color.primaries = ICCProfile(bytes).primaries ?? color.primaries
                return color
            }
        }
        profile = nil
        if heif_image_get_nclx_color_profile(image, &profile).code == heif_error_Ok, let nclx = profile {
            defer { heif_nclx_color_profile_free(nclx) }
            apply(nclx.pointee, to: &color)
        }
        return color
    }

    /// Numbers of ITU-T H.273, tables 2 and 3.
    private static func apply(_ nclx: heif_color_profile_nclx, to color: inout ColorDescription) {
        switch nclx.color_primaries.rawValue {
        case 5: color.primaries = .bt470bg
        case 6, 7: color.primaries = .bt601
        case 9: color.primaries = .bt2020
        case 11, 12: color.primaries = .displayP3
        default: break
        }
        switch nclx.transfer_characteristics.rawValue {
        case 16: color.transfer = .pq
        case 18: color.transfer = .hlg
        default: break
        }
    }
}
