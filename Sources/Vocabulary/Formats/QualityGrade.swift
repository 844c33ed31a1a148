/// A name for a quality, which is a different factor with each codec (`QualityScale`).
package enum QualityGrade: String, CaseIterable, Hashable, Sendable, Codable { case highest, high, medium, low }
