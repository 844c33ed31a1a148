public import ExactTime
public import ExportPlan

/// A list of operations at one instant, ready to run on a picture. What is neutral has been left out, and pixel-wise
/// operations that follow each other have become one pass.
///
/// Made anew for every frame: values may move from frame to frame, and making it costs little beside running it.
/// Runs on 8-bit RGB or RGBA (`OperationChain+Interleaved.swift`) and on 8-bit 4:2:0 (`OperationChain+YUV420.swift`).
public struct OperationChain {
    /// Stretches of the list that run in one go.
    enum Pass {
        case pixelwise([PixelwiseStage])
        case spatial(SpatialStage)
        case plugin(PluginStage)
    }

    /// Of the pictures that it runs on.
    public let size: FrameSize
    let passes: [Pass]

    /// - Parameters:
    ///   - operations: valid ones (`OperationCatalogue.validate`), first to last.
    ///   - time: at which animated values are read, in the time that their keys are in.
    ///   - frame: number of the output frame, for what changes from frame to frame.
    ///   - size: of the pictures that it will run on, in pixels.
    ///   - tables: by content hash, what the operations read.
    ///   - plugins: by content hash, what the operations call.
    /// - Throws: `unknownOperation`, `missingTable`, `missingPlugin`, or what a plug-in has against being run.
    public init(
        _ operations: [Operation], at time: MediaTime, frame: Int, size: FrameSize, tables: [String: LookupTable] = [:],
        plugins: [String: any PluginFilter] = [:]
    ) throws(OperationError) {
        self.size = size
        var passes: [Pass] = []
        for operation in operations {
            if let call = operation.plugin {
                passes.append(.plugin(try OperationChain.stage(call, operation, at: time, size, plugins)))
                continue
            }
            guard let descriptor = OperationCatalogue.descriptor(of: operation.name) else {
                throw OperationError(.unknownOperation, subject: operation.name, message: "is no operation")
            }
            var values: [String: Double] = [:]
            for parameter in descriptor.parameters {
                values[parameter.name] = operation.parameters[parameter.name]?.value(at: time) ?? parameter.default
            }
            if descriptor.isNeutral(values) { continue }
            let table = operation.source.flatMap { tables[$0] }
            if descriptor.needsSource, table == nil {
                throw OperationError(.missingTable, subject: operation.name, message: "has no table")
            }
            let instant = OperationInstant(values: values, size: size, frame: frame, table: table)
            switch descriptor.body {
            case .spatial(let make):
                passes.append(.spatial(make(instant)))
            case .pixelwise(let make):
                if case .pixelwise(let before)? = passes.last {
                    passes[passes.count - 1] = .pixelwise(before + [make(instant)])
                } else {
                    passes.append(.pixelwise([make(instant)]))
                }
            }
        }
        self.passes = passes
    }

    /// Whether every picture stays as it is: nothing has to be converted.
    public var isIdentity: Bool { passes.isEmpty }

    /// Whether rows can be taken one by one.
    var isPixelwise: Bool {
        passes.allSatisfy { pass in
            if case .pixelwise = pass { true } else { false }
        }
    }

    /// Runs the pixel-wise passes on one row.
    func run(on row: PixelRow) {
        for case .pixelwise(let stages) in passes {
            for stage in stages { stage(row) }
        }
    }

    /// Runs everything on a whole picture.
    func run(on picture: inout FloatPicture) {
        for pass in passes {
            switch pass {
            case .pixelwise(let stages):
                picture.withRows(0..<size.height) { row in
                    for stage in stages { stage(row) }
                }
            case .spatial(let stage):
                picture.premultiply()
                picture = stage(picture)
                picture.unpremultiply()
            case .plugin(let stage):
                picture.run(stage)
            }
        }
    }
}
