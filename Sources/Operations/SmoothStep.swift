/// GLSL's `smoothstep` between 0 and 1: 0 below, 1 above, 3t^2 - 2t^3 between.
@inlinable
public func smoothStep(_ value: Float) -> Float {
    let t = max(0, min(1, value))
    return t * t * (3 - 2 * t)
}

/// `smoothStep` of a value's place between two edges; a step where they meet.
@inlinable
public func smoothStep(from low: Float, to high: Float, _ value: Float) -> Float {
    smoothStep((value - low) / max(high - low, 1e-6))
}
