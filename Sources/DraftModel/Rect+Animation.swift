extension Rect {
    /// What may be animated of a `cropRect`, as key paths of its clip or layer, in the unit of the rectangle that is given beside it;
    /// pixels without one. Whether a crop stays inside its picture says the compiler, who knows the picture.
    static func properties(ofCrop crop: Rect?) -> [AnimatableProperty] {
        let limit = crop?.unit == .ratio ? 1.0 : 16_384
        return ["x", "y", "width", "height"].map { AnimatableProperty(keyPath: "cropRect.\($0)", range: 0...limit) }
    }
}
