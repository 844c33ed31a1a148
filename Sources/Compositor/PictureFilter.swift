import ExactTime
import ExportPlan
import Media
import Operations

/// Runs a layer's operations on its picture, its transparency included.
struct PictureFilter {
    private let operations: [Operation]
    private let frameRate: FrameRate
    private let subject: String
    /// What the operations read and call, by content hash.
    private let tables: [String: LookupTable]
    private let plugins: [String: any PluginFilter]
    /// Whether the same picture looks the same in every frame.
    let isStill: Bool
    /// Whether an opaque picture may become transparent.
    let changesAlpha: Bool

    /// - Throws: `MediaError` when a lookup table cannot be read; `missingPlugin`, `unusablePlugin`.
    init(_ operations: [Operation], subject: String, _ context: PaintContext) throws(MediaError) {
        tables = try context.documents.tables(for: operations)
        plugins = try context.readers.plugins(of: operations)
        self.operations = operations
        frameRate = context.frameRate
        self.subject = subject
        let descriptors = operations.map { OperationCatalogue.descriptor(of: $0.name) }
        isStill =
            operations.allSatisfy { $0.parameters.values.allSatisfy { $0.constantValue != nil } }
            && descriptors.allSatisfy { $0?.movesByItself == false }
        changesAlpha = descriptors.contains { $0?.changesAlpha == true }
    }

    /// - Parameters:
    ///   - picture: stays as it is; what is returned may be it, where nothing changes.
    func filtered(_ picture: RasterPicture, atFrame index: Int) throws(MediaError) -> RasterPicture {
        guard !operations.isEmpty else { return picture }
        let chain = try chain(atFrame: index, picture.frame.size)
        guard !chain.isIdentity else { return picture }
        let result = try VideoFrame(.yuv420, picture.frame.size)
        for plane in 0..<3 { Blend.copy(picture.frame.plane(plane), into: result.plane(plane)) }
        func pixels(_ plane: Int) -> PlanarPixels.Plane {
            PlanarPixels.Plane(base: result.plane(plane).base, stride: result.plane(plane).stride)
        }
        let (y, cb, cr) = (pixels(0), pixels(1), pixels(2))
        guard seesAlpha(chain, hasAlpha: picture.alpha != nil) else {
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

    /// What `filtered` does; nil where there are no operations.
    func program(atFrame index: Int, size: FrameSize, hasAlpha: Bool) throws(MediaError) -> OperationProgram? {
        guard !operations.isEmpty else { return nil }
        let chain = try chain(atFrame: index, size)
        var program = chain.program(hasAlpha: seesAlpha(chain, hasAlpha: hasAlpha))
        program.isKept = isStill
        return program
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

    /// Whether transparency goes through the operations with the colours.
    private func seesAlpha(_ chain: OperationChain, hasAlpha: Bool) -> Bool {
        chain.changesAlpha || chain.mixesPixels && hasAlpha
    }
}

extension AlphaPlanes {
    /// Chroma samples are covered as much as their pixels are in the mean.
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
