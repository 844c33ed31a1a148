import DraftModel
import ExactTime
import ExportPlan
import Vocabulary
import Glibc

/// Masks of the reference renderer (docs/draft.md, "Masks").
extension ReferenceLayers {
    /// The picture multiplied by a layer's mask.
    /// - Parameter time: the time in the layer.
    func masked(_ picture: ReferencePicture, of layer: DraftLayer, at time: MediaTime) throws -> ReferencePicture {
        guard let mask = layer.mask else { return picture }
        let shares = try shares(mask, layer, width: picture.width, height: picture.height, at: time)
        var result = picture
        for index in result.pixels.indices {
            result.pixels[index].color *= shares[index].share
            result.pixels[index].alpha *= shares[index].share
            result.pixels[index].isSplit = result.pixels[index].isSplit || shares[index].isSplit
            result.pixels[index].isMixed = result.pixels[index].isMixed || shares[index].isMixed
            result.pixels[index].slope = max(result.pixels[index].slope, shares[index].slope)
        }
        return result
    }

    /// How much of a pixel the mask lets through, and how accurately 8 bits can represent it there.
    struct Share {
        var share: Double
        var isSplit: Bool
        var isMixed: Bool
        var slope: Double
    }

    private func shares(
        _ mask: DraftMask, _ layer: DraftLayer, width: Int, height: Int, at time: MediaTime
    ) throws -> [Share] {
        let animations = (layer.animations ?? []).compactMap { animation in
            guard animation.keyPath.hasPrefix("mask.") else { return nil as Animation? }
            var inner = animation
            inner.keyPath = String(animation.keyPath.dropFirst("mask.".count))
            return inner
        }
        let values = ReferenceValues(animations, at: time)
        let size = FrameSize(width: width, height: height)
        var drawn = ReferencePicture(width: width, height: height)
        if let own = try self.picture(of: mask.source, nil, at: time, from: layer.timeRange.start, in: size) {
            var transform = mask.transform ?? Transform()
            if mask.source.type == .image || mask.source.type == .video, transform.fit == nil, transform.corners == nil {
                let whole = Rect(x: .zero, y: .zero, width: .one, height: .one, unit: .ratio)
                transform.fit = Transform.Fit(rect: whole, mode: .fill)
            }
            drawn.draw(own.picture.transformed(transform, values, on: size, box: own.box))
        }
        var shares = drawn.pixels.map { pixel in
            guard mask.channel == .luma else {
                return Share(share: pixel.alpha, isSplit: pixel.isSplit, isMixed: pixel.isMixed, slope: 1)
            }
            let luma = 0.2126 * pixel.color.x + 0.7152 * pixel.color.y + 0.0722 * pixel.color.z
            // An error of one code value of luma is as large an error of the mask, which adds to the errors of the
            // picture's own colours.
            return Share(share: luma, isSplit: pixel.isSplit, isMixed: pixel.isMixed, slope: 1 + pixel.slope / 2)
        }
        if mask.inverted == true {
            for index in shares.indices { shares[index].share = 1 - shares[index].share }
        }
        let feather = values.value("feather", mask.feather ?? 0)
        if feather > 0 { shares = feathered(shares, width, height, feather) }
        // Where the mask changes quickly, pixels that share a chroma sample differ.
        var field = ReferencePicture(width: width, height: height)
        for index in shares.indices { field.pixels[index].alpha = shares[index].share }
        field.markEdges(reach: 1)
        for index in shares.indices { shares[index].isSplit = shares[index].isSplit || field.pixels[index].isSplit }
        return shares
    }

    /// A Gaussian blur in both directions. Beyond the edges the mask's edge values are repeated.
    private func feathered(_ shares: [Share], _ width: Int, _ height: Int, _ deviation: Double) -> [Share] {
        let reach = Int((deviation * 5).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = weights.reduce(0, +)
        func mean(_ place: (Int) -> Int, _ values: [Double]) -> Double {
            weights.indices.reduce(0) { $0 + weights[$1] * values[place($1 - reach)] } / total
        }
        let before = shares.map(\.share)
        var across = before
        for y in 0..<height {
            for x in 0..<width { across[y * width + x] = mean({ y * width + min(max(x + $0, 0), width - 1) }, before) }
        }
        var result = shares
        for y in 0..<height {
            for x in 0..<width {
                result[y * width + x].share = mean({ min(max(y + $0, 0), height - 1) * width + x }, across)
            }
        }
        return result
    }
}
