/// The "soul out" of short-video apps: a translucent copy of the picture grows out of it and fades, again and again.
extension OperationDescriptor {
    static let soulOut = OperationDescriptor(
        "soulOut", "Lets a copy of the picture grow out of it and fade, again and again.",
        formula:
            "mix(c(p), c(centre + (p - centre) / (1 + (scale - 1) u)), amount * (1 - u)), u = fract(t / period), t seconds since the beginning",
        isTimeDependent: true,
        parameters: [
            OperationParameter("amount", default: 0.4, neutral: 0, in: 0...1, unit: "share", "how dense the copy is at first"),
            OperationParameter("scale", default: 1.8, in: 1...8, unit: "factor", "how large it is at last"),
            OperationParameter("period", default: 0.8, in: 0.1...60, unit: "seconds", "from one copy to the next"),
        ],
        .spatial { instant in
            let phase = Float(Course.phase(instant.seconds, period: Double(instant["period"])))
            let share = instant["amount"] * (1 - phase)
            let grid = GridSampling(instant.size, zoom: 1 + (instant["scale"] - 1) * phase)
            return { picture in
                picture.mapPlanes { plane in
                    var result = plane.map { $0 * (1 - share) }
                    grid.add(plane, weight: share, isFirst: false, to: &result)
                    return result
                }
            }
        })
}
