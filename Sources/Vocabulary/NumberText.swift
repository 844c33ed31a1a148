extension Double {
    /// The number in messages, without needless digits: `1`, `2.5`.
    package var shortText: String { self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)" }
}

extension ClosedRange<Double> {
    /// The range in messages, such as `0...2` or `-0.5...1`.
    package var shortText: String { "\(lowerBound.shortText)...\(upperBound.shortText)" }
}
