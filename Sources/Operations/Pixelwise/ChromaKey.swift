/// Makes a colour transparent, by GPUImage's `GPUImageChromaKeyFilter` (distance in the plane of Cb and Cr).
///
/// It also removes spill, the light of the key colour on what stays, by subtracting a multiple of the key colour. It
/// subtracts so much that the rest leans no further towards the key's hue than yellow and cyan lean towards green. For
/// a green key this is the rule of thumb "no more green than red or blue". If a picture has no alpha, only the removal
/// of spill shows.
extension OperationDescriptor {
    static let chromaKey = OperationDescriptor(
        "chromaKey", "Makes one colour transparent.",
        formula:
            "d = distance of (Cb, Cr) from the key's, y = 0.2989r + 0.5866g + 0.1145b, Cb = 0.5647(b - y), Cr = 0.7132(r - y); alpha * smoothstep(threshold, threshold + smoothness, d) (GPUImage); c - spill * max(0, p - 0.55|q|) / |k| * key, with p the part of (Cb, Cr) along the key's (Cb, Cr) k, and q the part across",
        changesAlpha: true,
        parameters: [
            OperationParameter("color.red", default: 0, in: 0...1, unit: "of full scale", "the key"),
            OperationParameter("color.green", default: 1, in: 0...1, unit: "of full scale", "the key"),
            OperationParameter("color.blue", default: 0, in: 0...1, unit: "of full scale", "the key"),
            OperationParameter("threshold", default: 0.4, in: 0...1, unit: "distance", "what is nearer to the key is gone"),
            OperationParameter("smoothness", default: 0.1, in: 0...1, unit: "distance", "how far the edge reaches beyond"),
            OperationParameter(
                "spill", default: 1, in: 0...1, unit: "share", "how much of the key's light on what stays is taken away"),
        ],
        .pixelwise { instant in
            let (red, green, blue) = (instant["color.red"], instant["color.green"], instant["color.blue"])
            let (threshold, smoothness, spill) = (instant["threshold"], instant["smoothness"], instant["spill"])
            let keyY = 0.2989 * red + 0.5866 * green + 0.1145 * blue
            let (keyCb, keyCr) = (0.5647 * (blue - keyY), 0.7132 * (red - keyY))
            let strength = (keyCb * keyCb + keyCr * keyCr).squareRoot()
            // A grey key has no hue, so there is no spill to remove.
            let (alongCb, alongCr) = strength > 1e-3 ? (keyCb / strength, keyCr / strength) : (0, 0)
            let removal = strength > 1e-3 ? spill / strength : 0
            return { row in
                for x in 0..<row.count {
                    let (r, g, b) = (row.red[x], row.green[x], row.blue[x])
                    let y = 0.2989 * r + 0.5866 * g + 0.1145 * b
                    let (cb, cr) = (0.5647 * (b - y), 0.7132 * (r - y))
                    let distance = ((cb - keyCb) * (cb - keyCb) + (cr - keyCr) * (cr - keyCr)).squareRoot()
                    row.alpha[x] *= smoothStep(from: threshold, to: threshold + smoothness, distance)
                    let (along, across) = (cb * alongCb + cr * alongCr, cr * alongCb - cb * alongCr)
                    let share = max(0, along - 0.55 * abs(across)) * removal
                    row.red[x] = r - share * red
                    row.green[x] = g - share * green
                    row.blue[x] = b - share * blue
                }
            }
        })
}
