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
        /// The standard deviation.
        case gaussian(Double)
        case plugin(PluginStage)
    }

    /// What the picture is while the passes run.
    enum Way {
        /// Nothing runs.
        case untouched
        /// A Gaussian of this deviation on each plane of 4:2:0.
        case planes(Double)
        /// Row by row.
        case rows
        case picture
    }

    /// Of the pictures that it runs on.
    public let size: FrameSize
    let passes: [Pass]
    /// The operations of each pass, by name, and those that have been left out.
    private let names: [[String]]
    private let neutral: [String]
    /// Whether an opaque picture may become transparent.
    public let changesAlpha: Bool

    /// - Parameters:
    ///   - operations: valid ones (`OperationCatalogue.validate`), first to last.
    ///   - frame: at whose time animated values are read and moving operations stand, counted from time 0 of their keys.
    ///   - size: of the pictures that it will run on, in pixels.
    ///   - tables: by content hash, what the operations read.
    ///   - plugins: by content hash, what the operations call.
    /// - Throws: `unknownOperation`, `missingTable`, `missingPlugin`, or what a plug-in has against being run.
    public init(
        _ operations: [Operation], atFrame frame: Int, of frameRate: FrameRate, size: FrameSize,
        tables: [String: LookupTable] = [:], plugins: [String: any PluginFilter] = [:]
    ) throws(OperationError) {
        self.size = size
        let time = frameRate.time(ofFrame: frame)
        var passes: [Pass] = []
        var names: [[String]] = []
        var neutral: [String] = []
        var changesAlpha = false
        for operation in operations {
            if let call = operation.plugin {
                names.append([call.name])
                passes.append(.plugin(try OperationChain.stage(call, operation, at: time, size, plugins)))
                continue
            }
            guard let descriptor = OperationCatalogue.descriptor(of: operation.name) else {
                throw OperationError(.unknownOperation, subject: operation.name, message: "is no operation")
            }
            var values: [String: Double] = [:]
            for parameter in descriptor.parameters {
                values[parameter.name] =
                    operation.parameters[parameter.name].map { parameter.limit($0.value(at: time)) }
                    ?? parameter.default
            }
            guard !descriptor.isNeutral(values) else {
                neutral.append(operation.name)
                continue
            }
            let table = operation.source.flatMap { tables[$0] }
            if descriptor.needsSource, table == nil {
                throw OperationError(.missingTable, subject: operation.name, message: "has no table")
            }
            let own = operation.ownTime(at: time)
            let instant = OperationInstant(
                values: values, size: size, seconds: own.doubleValue,
                frame: (own.seconds * frameRate.framesPerSecond).floor, table: table)
            if descriptor.changesAlpha { changesAlpha = true }
            switch descriptor.body {
            case .spatial(let make):
                passes.append(.spatial(make(instant)))
            case .gaussian(let deviation):
                passes.append(.gaussian(deviation(instant)))
            case .pixelwise(let make):
                if case .pixelwise(let before)? = passes.last {
                    passes[passes.count - 1] = .pixelwise(before + [make(instant)])
                    names[names.count - 1].append(operation.name)
                    continue
                }
                passes.append(.pixelwise([make(instant)]))
            }
            names.append([operation.name])
        }
        self.passes = passes
        self.names = names
        self.neutral = neutral
        self.changesAlpha = changesAlpha
    }

    /// Whether every picture stays as it is: nothing has to be converted.
    public var isIdentity: Bool { passes.isEmpty }

    /// Whether colours go to other places, so that transparent pixels matter to their neighbours.
    public var mixesPixels: Bool { !isPixelwise }

    /// How a 4:2:0 picture is taken through.
    /// - Parameter hasAlpha: whether the picture has transparency that the passes are to see.
    func way(hasAlpha: Bool) -> Way {
        if isIdentity { return .untouched }
        if !hasAlpha, passes.count == 1, case .gaussian(let deviation) = passes[0] { return .planes(deviation) }
        return isPixelwise ? .rows : .picture
    }

    /// What happens to a 4:2:0 picture.
    /// - Parameter hasAlpha: whether the picture has transparency that the passes are to see.
    public func program(hasAlpha: Bool) -> OperationProgram {
        let space: OperationProgram.Space =
            switch way(hasAlpha: hasAlpha) {
            case .untouched: .untouched
            case .planes: .planes
            case .rows: .rowsOfRGB
            case .picture: .pictureOfRGB
            }
        return OperationProgram(
            space: space, passes: zip(passes, names).map { OperationProgram.Pass(kind: $0.kind, operations: $1) },
            neutral: neutral)
    }

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
            case .gaussian(let deviation):
                let blur = PlaneBlur(deviation: deviation)
                picture.premultiply()
                picture = picture.mapPlanes { blur.blurred($0, width: size.width, height: size.height) }
                picture.unpremultiply()
            case .plugin(let stage):
                picture.run(stage)
            }
        }
    }
}

extension OperationChain.Pass {
    fileprivate var kind: OperationProgram.Pass.Kind {
        switch self {
        case .pixelwise: .pixelwise
        case .spatial: .spatial
        case .gaussian: .gaussian
        case .plugin: .plugin
        }
    }
}
