import ExactTime
import ExportPlan
import Media
import Operations

/// Runs a layer's operations on its picture, including its transparency.
struct PictureFilter {
    private let operations: [Operation]
    private let frameRate: FrameRate
    private let subject: String
    private let log: DecisionLog?
    /// The lookup tables and plug-ins that the operations use, by content hash.
    private let tables: [String: LookupTable]
    private let plugins: [String: any RunnablePlugin]
    /// Whether the same input picture gives the same result in every frame.
    let isStill: Bool
    /// Whether the operations treat each pixel by itself.
    let isPixelwise: Bool
    /// Whether an opaque picture may become transparent.
    let changesAlpha: Bool

    /// - Throws: `MediaError` when a lookup table cannot be read; `missingPlugin` or `unusablePlugin`.
    init(_ operations: [Operation], subject: String, _ context: PaintContext) throws(MediaError) {
        tables = try context.auxiliarySources.tables(for: operations)
        plugins = try context.readers.plugins(of: operations)
        self.operations = operations
        frameRate = context.frameRate
        self.subject = subject
        log = context.log
        let descriptors = operations.map { OperationCatalogue.descriptor(of: $0.name) }
        isStill =
            operations.allSatisfy { $0.parameters.values.allSatisfy { $0.constantValue != nil } }
            && descriptors.allSatisfy { $0?.isTimeDependent == false }
        isPixelwise = descriptors.allSatisfy { $0?.reach == .pixelwise }
        changesAlpha = descriptors.contains { $0?.changesAlpha == true }
    }

    /// - Parameters:
    ///   - picture: the input, which stays unchanged. It is returned itself if the operations change nothing in this
    ///     frame.
    func filtered(_ picture: RasterPicture, atFrame index: Int) throws(MediaError) -> RasterPicture {
        guard !operations.isEmpty else { return picture }
        let chain = try chain(atFrame: index, picture.frame.size)
        // Whether the operations also run on the alpha plane.
        let seesAlpha = chain.changesAlpha || chain.mixesPixels && picture.alpha != nil
        log?.note(chain.decision(hasAlpha: seesAlpha, isCached: isStill))
        guard !chain.isIdentity else { return picture }
        let result = try VideoFrame(.yuv420, picture.frame.size)
        for plane in 0..<3 { Blend.copy(picture.frame.plane(plane), into: result.plane(plane)) }
        func pixels(_ plane: Int) -> PlanarPixels.Plane {
            PlanarPixels.Plane(base: result.plane(plane).base, stride: result.plane(plane).stride)
        }
        let (y, cb, cr) = (pixels(0), pixels(1), pixels(2))
        guard seesAlpha else {
            chain.run(on: PlanarPixels(y: y, cb: cb, cr: cr))
            return RasterPicture(frame: result, alpha: picture.alpha)
        }
        let (width, height) = (picture.frame.size.width, picture.frame.size.height)
        var luma = picture.alpha?.luma ?? [UInt8](repeating: 255, count: width * height)
        luma.withUnsafeMutableBufferPointer { alpha in
            guard let base = alpha.baseAddress else { return }
            chain.run(on: PlanarPixels(y: y, cb: cb, cr: cr, alpha: PlanarPixels.Plane(base: base, stride: width)))
        }
        return RasterPicture(frame: result, alpha: AlphaPlanes(luma: luma, width: width, height: height))
    }

    private func chain(atFrame index: Int, _ size: FrameSize) throws(MediaError) -> OperationChain {
        do throws(OperationError) {
            return try OperationChain(
                operations, atFrame: index, of: frameRate, size: size, tables: tables, plugins: plugins)
        } catch {
            let code: MediaErrorCode = error.code == .pluginRefused ? .outOfMemory : .internalFailure
            throw MediaError(code, subject: subject, message: "'\(error.subject)' \(error.message)")
        }
    }
}

extension AlphaPlanes {
    /// Chroma coverage is the mean coverage of each chroma sample's pixels.
    init(luma: [UInt8], width: Int, height: Int) {
        self.luma = luma
        chroma = []
        chroma.reserveCapacity((width + 1) / 2 * ((height + 1) / 2))
        for y in stride(from: 0, to: height, by: 2) {
            let (upper, lower) = (y * width, min(y + 1, height - 1) * width)
            for x in stride(from: 0, to: width, by: 2) {
                let next = min(x + 1, width - 1)
                let sum =
                    UInt16(luma[upper + x]) + UInt16(luma[upper + next]) + UInt16(luma[lower + x]) + UInt16(luma[lower + next])
                chroma.append(UInt8((sum + 2) / 4))
            }
        }
    }
}
