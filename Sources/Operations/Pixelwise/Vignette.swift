import ExportPlan

/// Darkens the corners (GPUImage's `GPUImageVignetteFilter` with black, and with an amount). Distances are fractions of
/// the picture's width and height, so the shade is an ellipse.
extension OperationDescriptor {
    static let vignette = OperationDescriptor(
        "vignette", "Darkens the picture towards its corners.",
        formula:
            "c * (1 - amount * smoothstep(start, end, d)), d the distance of ((x + 0.5) / width, (y + 0.5) / height) from the centre (GPUImage)",
        parameters: [
            OperationParameter("amount", default: 1, neutral: 0, in: 0...1, unit: "share", "1 is black outside"),
            OperationParameter("start", default: 0.3, in: 0...2, unit: "picture sizes", "where it begins, from the centre"),
            OperationParameter("end", default: 0.75, in: 0...2, unit: "picture sizes", "where it is complete"),
            OperationParameter("center.x", default: 0.5, in: -1...2, unit: "of the width", "the bright centre"),
            OperationParameter("center.y", default: 0.5, in: -1...2, unit: "of the height", "the bright centre"),
        ],
        .pixelwise { instant in
            let (amount, start, end) = (instant["amount"], instant["start"], instant["end"])
            let (centerX, centerY) = (instant["center.x"], instant["center.y"])
            let (stepX, stepY) = (1 / Float(instant.size.width), 1 / Float(instant.size.height))
            return { row in
                let dy = (Float(row.y) + 0.5) * stepY - centerY
                row.mapColors { x, r, g, b in
                    let dx = (Float(Int32(truncatingIfNeeded: x)) + 0.5) * stepX - centerX
                    let rest = 1 - amount * smoothStep(from: start, to: end, (dx * dx + dy * dy).squareRoot())
                    return (r * rest, g * rest, b * rest)
                }
            }
        })
}
