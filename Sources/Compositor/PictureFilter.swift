import ExactTime
import ExportPlan
import Media
import Operations

/// Runs a layer's operations on its picture.
struct PictureFilter {
    private let operations: [Operation]
    private let subject: String
    private let plugins: [String: any PluginFilter]
    /// Whether the same picture looks the same in every frame.
    let isStill: Bool

    /// - Throws: `missingPlugin`, `unusablePlugin`.
    init(_ operations: [Operation], subject: String, _ context: PaintContext) throws(MediaError) {
        self.operations = operations
        plugins = try context.readers.plugins(of: operations)
        self.subject = subject
        isStill = operations.allSatisfy { operation in
            operation.parameters.values.allSatisfy { $0.constantValue != nil }
                && OperationCatalogue.descriptor(of: operation.name)?.movesByItself == false
        }
    }

    /// - Parameters:
    ///   - picture: stays as it is; what is returned may be it, where nothing changes.
    ///   - time: of the frame, in the layer's time.
    func filtered(_ picture: RasterPicture, atFrame index: Int, time: MediaTime) throws(MediaError) -> RasterPicture {
        guard !operations.isEmpty else { return picture }
        let chain: OperationChain
        do throws(OperationError) {
            chain = try OperationChain(operations, at: time, frame: index, size: picture.frame.size, plugins: plugins)
        } catch {
            let code: MediaErrorCode = error.code == .pluginRefused ? .outOfMemory : .internalFailure
            throw MediaError(code, subject: subject, message: "'\(error.subject)' \(error.message)")
        }
        guard !chain.isIdentity else { return picture }
        let result = try VideoFrame(.yuv420, picture.frame.size)
        for plane in 0..<3 { Blend.copy(picture.frame.plane(plane), into: result.plane(plane)) }
        func pixels(_ plane: Int) -> PlanarPixels.Plane {
            PlanarPixels.Plane(base: result.plane(plane).base, stride: result.plane(plane).stride)
        }
        chain.run(on: PlanarPixels(y: pixels(0), cb: pixels(1), cr: pixels(2)))
        return RasterPicture(frame: result, alpha: picture.alpha)
    }
}
