import CFFmpeg
import CLcms
import ExportPlan

/// An ICC profile, and the conversion of pictures from its colours to those of sRGB or Display P3 by Little CMS.
///
/// The conversion has the rendering intent that the profile names (absolute colorimetric counts as relative) and
/// compensates black points, as programs for photographs do.
final class ColorProfile {
    /// Larger profiles are not used. Profiles of screens have a few kilobytes, those of printers a megabyte or two.
    static let maximumBytes = 4 << 20
    /// The version of Little CMS, such as `2.14`.
    static var libraryVersion: String {
        let version = Int(cmsGetEncodedCMMversion())
        return "\(version / 1000).\(version % 1000 / 10)"
    }

    /// The longest name that is kept, in characters.
    private static let nameLength = 80

    /// The kinds of pixels that are converted.
    private struct Layout: Hashable {
        /// Whether the samples have 16 bits, instead of 8.
        var isWide: Bool
        var hasAlpha: Bool
    }

    let name: String
    private let profile: cmsHPROFILE
    private let standard: cmsHPROFILE
    /// Whether it describes gray pictures, instead of those in red, green and blue.
    private let isGray: Bool
    private let intent: cmsUInt32Number
    private var transforms: [Layout: cmsHTRANSFORM] = [:]

    /// - Parameters:
    ///   - bytes: at most `maximumBytes`.
    ///   - primaries: those of the film, to whose gamut pictures are converted.
    /// - Returns: nil for a damaged profile, and for one of other pixels than gray or red, green and blue.
    init?(_ bytes: UnsafeRawBufferPointer, to primaries: ColorDescription.Primaries = .bt709) {
        guard bytes.count <= ColorProfile.maximumBytes,
            let profile = cmsOpenProfileFromMem(bytes.baseAddress, cmsUInt32Number(bytes.count))
        else { return nil }
        let isWide = primaries.gamut == .displayP3
        guard let standard = isWide ? spool_display_p3_profile() : cmsCreate_sRGBProfile() else {
            cmsCloseProfile(profile)
            return nil
        }
        self.profile = profile
        self.standard = standard
        let space = cmsGetColorSpace(profile)
        isGray = space == cmsSigGrayData
        let declared = cmsGetHeaderRenderingIntent(profile)
        intent = declared > 2 ? cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC) : declared
        var name = [CChar](repeating: 0, count: 4 * ColorProfile.nameLength)
        cmsGetProfileInfoASCII(profile, cmsInfoDescription, "en", "US", &name, cmsUInt32Number(name.count))
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.name = String(text.prefix(ColorProfile.nameLength))
        guard space == cmsSigRgbData || isGray, transform(Layout(isWide: false, hasAlpha: false)) != nil else { return nil }
    }

    deinit {
        transforms.values.forEach { cmsDeleteTransform($0) }
        cmsCloseProfile(profile)
        cmsCloseProfile(standard)
    }

    /// Whether the conversion changes no code value by more than 1: the profile is one of the many editions of sRGB. The
    /// trial takes 9 values of each channel, or all grays.
    var isStandard: Bool {
        guard let transform = transform(Layout(isWide: false, hasAlpha: false)) else { return true }
        let steps = (0...8).map { UInt8(min(255, $0 * 32)) }
        let colors: [UInt8] =
            isGray
            ? (UInt8.min...UInt8.max).flatMap { [$0, $0, $0] }
            : steps.flatMap { red in steps.flatMap { green in steps.flatMap { [red, green, $0] } } }
        var converted = [UInt8](repeating: 0, count: colors.count)
        cmsDoTransform(transform, colors, &converted, cmsUInt32Number(colors.count / 3))
        return zip(colors, converted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }

    /// Whether it describes the pixels of a picture. A profile of grays says nothing about colours.
    func fits(_ frame: VideoFrame) -> Bool { !isGray || frame.isGray }

    /// The converted picture: `rgba` if it has alpha, which stays as it is, otherwise `rgb24`.
    /// - Parameter color: the colour description of `frame`.
    /// - Throws: `MediaError` `outOfMemory`.
    func convert(_ frame: VideoFrame, _ color: ColorDescription, subject: String) throws(MediaError) -> VideoFrame {
        let descriptor = av_pix_fmt_desc_get(frame.pixelFormat)
        let hasAlpha = (descriptor?.pointee.flags ?? 0) & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
        let layout = Layout(isWide: (descriptor?.pointee.comp.0.depth ?? 8) > 8, hasAlpha: hasAlpha)
        guard let transform = transform(layout) else {
            throw MediaError(.outOfMemory, subject: subject, message: "needs more memory than there is for its ICC profile")
        }
        let format = hasAlpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
        let result = try VideoFrame(libav: format, frame.size)
        let input = layout.isWide ? try VideoFrame(libav: AV_PIX_FMT_RGBA64LE, frame.size) : result
        try PictureScaler(subject: subject).scale(
            frame, region: .whole, color: color, into: input, at: PixelRect(frame.size))
        guard let source = input.data(0), let target = result.data(0) else { preconditionFailure("the frame has no plane") }
        cmsDoTransformLineStride(
            transform, source, target, cmsUInt32Number(frame.size.width), cmsUInt32Number(frame.size.height),
            cmsUInt32Number(input.lineSize(0)), cmsUInt32Number(result.lineSize(0)), 0, 0)
        if layout.isWide, hasAlpha { copyAlpha(of: input, to: result) }
        result.pointer.pointee.pts = frame.pointer.pointee.pts
        result.pointer.pointee.decode_error_flags = frame.pointer.pointee.decode_error_flags
        return result
    }

    private func transform(_ layout: Layout) -> cmsHTRANSFORM? {
        if let made = transforms[layout] { return made }
        let input =
            switch (layout.isWide, layout.hasAlpha) {
            case (true, _): isGray ? spool_pixels_gray_of_rgba_16 : spool_pixels_rgba_16
            case (false, true): isGray ? spool_pixels_gray_of_rgba : spool_pixels_rgba
            case (false, false): isGray ? spool_pixels_gray_of_rgb : spool_pixels_rgb
            }
        // For 16 bits Little CMS would make a table of 33 points in each direction, which is ten code values off at the
        // border of sRGB. Profiles that are tables themselves are not so exact, and may have very many stages.
        let made = cmsCreateTransform(
            profile, input, standard, layout.hasAlpha ? spool_pixels_rgba : spool_pixels_rgb, intent,
            spool_profile_flags | (layout.isWide && cmsIsMatrixShaper(profile) != 0 ? spool_profile_exact : 0))
        transforms[layout] = made
        return made
    }

    /// Little CMS leaves alpha as it is, and here it comes from numbers of 16 bits.
    private func copyAlpha(of wide: VideoFrame, to result: VideoFrame) {
        guard let source = wide.data(0), let target = result.data(0) else { return }
        for y in 0..<result.size.height {
            for x in 0..<result.size.width {
                let place = y * wide.lineSize(0) + 8 * x + 6
                let alpha = Int(source[place]) | Int(source[place + 1]) << 8
                target[y * result.lineSize(0) + 4 * x + 3] = UInt8((alpha * 255 + 32_767) / 65_535)
            }
        }
    }
}

extension VideoFrame {
    /// Whether the picture has no colour, by its pixel format.
    fileprivate var isGray: Bool {
        guard let descriptor = av_pix_fmt_desc_get(pixelFormat) else { return false }
        return descriptor.pointee.nb_components < 3
            && descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_RGB) == 0
    }

    /// The bytes of the picture's ICC profile; nil where it has none.
    var profile: UnsafeRawBufferPointer? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE), let data = side.pointee.data else {
            return nil
        }
        return UnsafeRawBufferPointer(start: data, count: side.pointee.size)
    }

    /// Attaches an ICC profile, as libav's decoders do.
    func attach(profile bytes: [UInt8]) throws(MediaError) {
        let side = try LibavResult.allocated(
            av_frame_new_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE, bytes.count), "frame")
        side.pointee.data.update(from: bytes, count: bytes.count)
    }
}
