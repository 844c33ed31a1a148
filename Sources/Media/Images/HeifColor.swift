import CHeif
import ExportPlan

/// The colour description of a HEIC or AVIF still as RGB: primaries and transfer from its nclx profile, or an ICC profile,
/// which `ProfiledPictures` applies. The matrix and the range are already undone by the conversion to RGB.
enum HeifColor {
    /// - Parameters:
    ///   - handle: libheif's handle of the picture in the file.
    ///   - image: the decoded picture, which carries the profile of the coded picture.
    /// - Returns: the colour description, and the ICC profile where it describes the colours.
    static func description(
        _ handle: OpaquePointer, _ image: OpaquePointer
    ) -> (color: ColorDescription, profile: [UInt8]?) {
        var color = ColorDescription(matrix: .rgb, primaries: .bt709, transfer: .sdr, isFullRange: true)
        var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
        if heif_image_handle_get_nclx_color_profile(handle, &profile).code == heif_error_Ok, let nclx = profile {
            defer { heif_nclx_color_profile_free(nclx) }
            apply(nclx.pointee, to: &color)
            // If the primaries are unspecified there, an ICC profile may define them.
            if nclx.pointee.color_primaries != heif_color_primaries_unspecified { return (color, nil) }
        }
        let count = heif_image_handle_get_raw_color_profile_size(handle)
        if count > 0 {
            var bytes = [UInt8](repeating: 0, count: count)
            if heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok {
                return (color, bytes)
            }
        }
        profile = nil
        if heif_image_get_nclx_color_profile(image, &profile).code == heif_error_Ok, let nclx = profile {
            defer { heif_nclx_color_profile_free(nclx) }
            apply(nclx.pointee, to: &color)
        }
        return (color, nil)
    }

    /// The numbers are those of ITU-T H.273, tables 2 and 3.
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
