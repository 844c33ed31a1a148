/// Makes a colour transparent: GPUImage's `GPUImageChromaKeyFilter` (distance in the plane of Cb and Cr), and against the
/// key's light on what stays the spill reduction of OBS Studio's chroma key. Where a picture has no alpha, only the spill
/// reduction shows.
extension OperationDescriptor {
    static let chromaKey = OperationDescriptor(
        "chromaKey", "Makes one colour transparent.",
        formula:
            "d = distance of (Cb, Cr) from the key's, y = 0.2989r + 0.5866g + 0.1145b, Cb = 0.5647(b - y), Cr = 0.7132(r - y); alpha * smoothstep(threshold, threshold + smoothness, d) (GPUImage); c mixed with its BT.709 luma by 1 - clamp((d - threshold) / spill)^1.5 (OBS Studio)",
        changesAlpha: true,
        parameters: [
            OperationParameter("color.red", default: 0, in: 0...1, unit: "of full scale", "the key"),
            OperationParameter("color.green", default: 1, in: 0...1, unit: "of full scale", "the key"),
            OperationParameter("color.blue", default: 0, in: 0...1, unit: "of full scale", "the key"),
            OperationParameter("threshold", default: 0.4, in: 0...1, unit: "distance", "what is nearer to the key is gone"),
            OperationParameter("smoothness", default: 0.1, in: 0...1, unit: "distance", "how far the edge reaches beyond"),
            OperationParameter(
                "spill", default: 0.1, in: 0...1, unit: "distance", "how far beyond colours are greyed; 0 for none"),
        ],
        .pixelwise { instant in
            let (red, green, blue) = (instant["color.red"], instant["color.green"], instant["color.blue"])
            let (threshold, smoothness, spill) = (instant["threshold"], instant["smoothness"], instant["spill"])
            let keyY = 0.2989 * red + 0.5866 * green + 0.1145 * blue
            let (keyCb, keyCr) = (0.5647 * (blue - keyY), 0.7132 * (red - keyY))
            return { row in
                for x in 0..<row.count {
                    let (r, g, b) = (row.red[x], row.green[x], row.blue[x])
                    let y = 0.2989 * r + 0.5866 * g + 0.1145 * b
                    let (cb, cr) = (0.5647 * (b - y) - keyCb, 0.7132 * (r - y) - keyCr)
                    let distance = (cb * cb + cr * cr).squareRoot()
                    row.alpha[x] *= smoothStep(from: threshold, to: threshold + smoothness, distance)
                    let kept = spill > 0 ? unit((distance - threshold) / spill) : 1
                    let share = 1 - kept * kept.squareRoot()
                    let luma = 0.2126 * r + 0.7152 * g + 0.0722 * b
                    row.red[x] = r + (luma - r) * share
                    row.green[x] = g + (luma - g) * share
                    row.blue[x] = b + (luma - b) * share
                }
            }
        })
}
