extension Rect {
    /// The properties of a `cropRect` that may be animated, as key paths of its clip or layer. Their unit is that of
    /// the given rectangle, or pixels without one. The compiler, which knows the picture, checks that the crop lies in
    /// it.
    static func properties(ofCrop crop: Rect?) -> [AnimatableProperty] {
        let limit = crop?.unit == .ratio ? 1.0 : 16_384
        return ["x", "y", "width", "height"].map { AnimatableProperty(keyPath: "cropRect.\($0)", range: 0...limit) }
    }
}
