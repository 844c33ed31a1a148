import ExportPlan

/// The shake of short-video apps: the picture jumps from place to place, slightly enlarged so that no edge shows. The
/// places are noise, one for each beat, and are interpolated smoothly.
extension OperationDescriptor {
    static let shake = OperationDescriptor(
        "shake", "Lets the picture tremble, as a hand-held camera does.",
        formula:
            "c(centre + (p - centre - amount * d * (width, height)) / (1 + 2 amount)); d = mix(n(k), n(k + 1), smoothstep(part)), k and part the whole beats in t * speed and the rest, n(k) in -1...1 from lowbias32 of k, seed and axis; t seconds since the beginning",
        isTimeDependent: true,
        parameters: [
            OperationParameter(
                "amount", default: 0.03, neutral: 0, in: 0...0.25, unit: "of the picture", "the farthest place to each side"),
            OperationParameter("speed", default: 8, in: 0.1...60, unit: "beats a second", "how often the place changes"),
            OperationParameter("seed", default: 0, in: 0...65_535, unit: "number", "other places for each"),
        ],
        .spatial { instant in
            let (amount, seed) = (instant["amount"], instant["seed"])
            let beat = Course.beat(instant.seconds, perSecond: Double(instant["speed"]))
            let part = smoothStep(Float(beat.part))
            func place(_ axis: Int) -> Float {
                let from = Course.noise(beat.number, channel: axis, seed: seed)
                return from + (Course.noise(beat.number + 1, channel: axis, seed: seed) - from) * part
            }
            let shift = (
                x: amount * place(0) * Float(instant.size.width), y: amount * place(1) * Float(instant.size.height)
            )
            let grid = GridSampling(instant.size, zoom: 1 + 2 * amount, shift: shift)
            return { picture in picture.mapPlanes { grid.sampled($0) } }
        })
}
