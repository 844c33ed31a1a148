import ExactTime
import FoundationEssentials

/// A Lottie animation as JSON, as far as it has to be known before rlottie gets it: its size, its frames, and that it asks
/// for nothing that is endless, is outside of the file, or would be left out without a word.
///
/// The format is that of the Lottie Animation Community's specification 1.0.
struct LottieDocument: Decodable {
    /// Frames per second.
    var fr: Double
    /// The first frame, and the one after the last.
    var ip: Double
    var op: Double
    /// The size in pixels.
    var w: Double
    var h: Double
    var assets: [Asset]?
    var layers: [Layer]

    struct Asset: Decodable {
        var id: Identifier?
        /// A composition's layers; nil for a picture.
        var layers: [Layer]?
        /// A picture's file name, or its bytes as a `data:` address.
        var p: String?
    }

    struct Layer: Decodable {
        var ty: Int?
        var refId: Identifier?
        var shapes: [Shape]?
        var ddd: Int?
        /// How the layer before it masks it; 0 or nil for not at all.
        var tt: Int?
        /// Whether it is hidden.
        var hd: Bool?
        /// Whether it has effects.
        var ef: [Anything]?

        /// The name of the layer's type for a message, where it cannot be drawn; nil where it can.
        var undrawn: String? {
            switch ty {
            case _ where hd == true: nil
            case 0, 1, 3, 4: nil
            case 2: "pictures"
            case 5: "texts"
            case 6: "sound"
            case 13: "cameras"
            default: "layers of type \(ty.map(String.init) ?? "none")"
            }
        }
    }

    struct Shape: Decodable {
        var ty: String?
        var it: [Shape]?
        /// The copies of a repeater; colours of fills and strokes have the same name.
        var c: Numbers?
        /// The dashes of a stroke; the direction of a path has the same name.
        var d: Dashes?
    }

    /// Ids are texts; some programs write numbers.
    struct Identifier: Decodable, Hashable {
        var text: String
        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self.text = text
            } else {
                text = "\(try value.decode(Double.self))"
            }
        }
    }

    /// Any value.
    struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// The least and the greatest number among a property's values: constant, or keyframes. Both are zero for what is not a
    /// number.
    struct Numbers: Decodable {
        var least: Double
        var most: Double

        fileprivate enum CodingKeys: String, CodingKey, CaseIterable { case k, s, e }

        init(from decoder: any Decoder) throws {
            let all = Numbers.values(decoder)
            (least, most) = (all.map(\.least).min() ?? 0, all.map(\.most).max() ?? 0)
        }

        private init(_ number: Double) { (least, most) = (number, number) }

        private static func values(_ decoder: any Decoder) -> [Numbers] {
            // Any form that is not a number or a list of keyframes belongs to another property of the same name.
            if let single = try? decoder.singleValueContainer(), let number = try? single.decode(Double.self) {
                return [Numbers(number)]
            }
            if let list = try? [Numbers](from: decoder) { return list }
            guard let members = try? decoder.container(keyedBy: CodingKeys.self) else { return [] }
            return CodingKeys.allCases.compactMap { try? members.decode(Numbers.self, forKey: $0) }
        }
    }

    /// The lengths of a stroke's dashes and gaps, added up.
    struct Dashes: Decodable {
        var least = 0.0
        var most = 0.0
        var hasNegative = false

        private struct Part: Decodable {
            /// `d` for a dash, `g` for a gap, and `o` for the offset.
            var n: String?
            var v: Numbers?
        }

        init(from decoder: any Decoder) throws {
            guard let parts = try? [Part](from: decoder) else { return }
            for part in parts where part.n != "o" {
                guard let value = part.v else { continue }
                least += value.least
                most += value.most
                if value.least < 0 { hasNegative = true }
            }
        }
    }
}

extension LottieDocument {
    /// The exact frame rate. Programs write 29.97 in many ways; rates within a thousandth of a broadcast rate are meant to
    /// be that rate.
    var frameRate: FrameRate? {
        guard fr.isFinite, fr > 0, fr <= 1000 else { return nil }
        let whole = fr.rounded()
        if abs(fr - whole) < 1e-6 { return FrameRate(Rational(Int64(whole), 1)) }
        let broadcast = (fr * 1.001).rounded()
        if abs(fr * 1.001 - broadcast) < 1e-3 { return FrameRate(Rational(Int64(broadcast) * 1000, 1001)) }
        return FrameRate(Rational(Int64((fr * 1000).rounded()), 1000))
    }
}
