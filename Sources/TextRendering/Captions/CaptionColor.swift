import ExportPlan

/// Colours as captions write them, and as libass reads them.
enum CaptionColor {
    /// A colour written as `#RRGGBB` or `#RGB`, either with or without the number sign, or as one of HTML's names.
    /// - Parameter text: the colour in lowercase.
    static func named(_ text: String) -> RGBAColor? {
        if let known = names[text] { return color(known) }
        let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
        guard digits.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }), let bits = UInt32(digits, radix: 16) else {
            return nil
        }
        switch digits.utf8.count {
        case 6: return color(bits)
        case 8: return color(bits >> 8)
        case 3: return color((bits >> 8 & 15) * 0x110000 | (bits >> 4 & 15) * 0x1100 | (bits & 15) * 0x11)
        default: return nil
        }
    }

    /// The colour as `&HBBGGRR&`.
    static func script(_ color: RGBAColor) -> String { "&H" + hex(color.blue) + hex(color.green) + hex(color.red) + "&" }

    /// The colour as `&HAABBGGRR`, where alpha 0 is opaque and 255 is transparent.
    static func styled(_ color: RGBAColor) -> String {
        "&H" + hex(255 - color.alpha) + hex(color.blue) + hex(color.green) + hex(color.red)
    }

    /// The colour classes of WebVTT, section 5.1.
    static let cueClasses: [String: RGBAColor] = [
        "white": color(0xFFFFFF), "lime": color(0x00FF00), "cyan": color(0x00FFFF), "red": color(0xFF0000),
        "yellow": color(0xFFFF00), "magenta": color(0xFF00FF), "blue": color(0x0000FF), "black": color(0),
    ]

    /// The names of HTML 4.01, section 6.5, and three more that are widely used: cyan, magenta and orange.
    private static let names: [String: UInt32] = [
        "black": 0, "silver": 0xC0C0C0, "gray": 0x808080, "white": 0xFFFFFF, "maroon": 0x800000, "red": 0xFF0000,
        "purple": 0x800080, "fuchsia": 0xFF00FF, "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000, "yellow": 0xFFFF00,
        "navy": 0x000080, "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF, "cyan": 0x00FFFF, "magenta": 0xFF00FF,
        "orange": 0xFFA500,
    ]

    private static func color(_ bits: UInt32) -> RGBAColor {
        RGBAColor(
            red: UInt8(bits >> 16 & 255), green: UInt8(bits >> 8 & 255), blue: UInt8(bits & 255), alpha: 255)
    }

    private static func hex(_ value: UInt8) -> String { (value < 16 ? "0" : "") + String(value, radix: 16, uppercase: true) }
}
