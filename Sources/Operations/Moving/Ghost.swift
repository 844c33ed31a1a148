import ExportPlan

/// Two translucent copies drift around the picture in opposite directions, one without blue and one without red. Flat
/// grey areas stay unchanged, and every edge gets a warm and a cool ghost.
extension OperationDescriptor {
    static let ghost = OperationDescriptor(
        "ghost", "Lets a warm and a cool copy of the picture drift round it.",
        formula:
            "mix(c(p), g, amount), g = (r(p - d), (c(p - d) + c(p + d)) / 2 of green and alpha, b(p + d)), d = distance * min(width, height) * (2 s(u) - 1, 2 s(u + 1/4) - 1), u = t / period, s(u) = smoothstep(1 - |2 fract(u) - 1|), t seconds since the beginning",
        isTimeDependent: true,
        parameters: [
            OperationParameter("amount", default: 0.5, neutral: 0, in: 0...1, unit: "share", "how dense the copies are"),
            OperationParameter(
                "distance", default: 0.04, in: 0...0.5, unit: "of the smaller side", "how far the copies go away"),
            OperationParameter("period", default: 2, in: 0.1...60, unit: "seconds", "one time round"),
        ],
        .spatial { instant in
            let amount = instant["amount"]
            let phase = Course.phase(instant.seconds, period: Double(instant["period"]))
            let reach = instant["distance"] * Float(min(instant.size.width, instant.size.height))
            let shift = (x: reach * (2 * Course.swing(phase) - 1), y: reach * (2 * Course.swing(phase + 0.25) - 1))
            let there = GridSampling(instant.size, zoom: 1, shift: shift)
            let opposite = GridSampling(instant.size, zoom: 1, shift: (-shift.x, -shift.y))
            return { picture in
                var result = picture
                for index in 0..<(picture.hasAlpha ? 4 : 3) {
                    let plane = picture.planes[index]
                    var mixed = plane.map { $0 * (1 - amount) }
                    // Red comes from one copy, blue from the other, and green and alpha from both.
                    let shares: (Float, Float) = index == 0 ? (1, 0) : index == 2 ? (0, 1) : (0.5, 0.5)
                    if shares.0 > 0 { there.add(plane, weight: amount * shares.0, isFirst: false, to: &mixed) }
                    if shares.1 > 0 { opposite.add(plane, weight: amount * shares.1, isFirst: false, to: &mixed) }
                    result.planes[index] = mixed
                }
                return result
            }
        })
}
