/// GLSL's `smoothstep` from 0 to 1: 0 below 0, 1 above 1, and 3t^2 - 2t^3 between.
@inlinable
package func smoothStep(_ value: Float) -> Float {
    let t = max(0, min(1, value))
    return t * t * (3 - 2 * t)
}

/// `smoothStep` of a value's position between two edges. If the edges are equal it is a step.
@inlinable
package func smoothStep(from low: Float, to high: Float, _ value: Float) -> Float {
    smoothStep((value - low) / max(high - low, 1e-6))
}
