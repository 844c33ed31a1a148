package import Vocabulary

/// The quality of a film's picture: a factor of its codec, or a name for one.
package enum VideoQuality: Hashable, Sendable, Encodable {
    /// The constant rate factor, 0...63; lower is better. H.264 and HEVC allow 0...51.
    case factor(Double)
    case grade(QualityGrade)

    /// The text form, as `ExportSettings.read` takes it.
    package var text: String {
        switch self {
        case .factor(let factor): "\(factor)"
        case .grade(let grade): grade.rawValue
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .factor(let factor): try container.encode(factor)
        case .grade(let grade): try container.encode(grade)
        }
    }
}

extension ObjectReader {
    mutating func videoQuality(_ name: String) -> VideoQuality? {
        guard let text = value(name)?.text, let first = text.first, first.isLetter else {
            return double(name, in: 0...63).map { .factor($0) }
        }
        return choice(name, QualityGrade.self).map { .grade($0) }
    }
}
