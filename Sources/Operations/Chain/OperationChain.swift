package import ExactTime
package import ExportPlan

/// A list of operations at one time, ready to run on a picture. Neutral operations are left out, and consecutive
/// pixel-wise operations are joined into one pass.
///
/// A chain is made for every frame, because values may be animated; making one costs little compared with running it.
/// It runs on 8-bit RGB or RGBA (`OperationChain+Interleaved.swift`) and on 8-bit 4:2:0
/// (`OperationChain+YUV420.swift`).
package struct OperationChain {
    /// Operations of the list that run together.
    enum Pass {
        case pixelwise([PixelwiseStage])
        case spatial(SpatialStage)
        /// The standard deviation in pixels.
        case gaussian(Double)
        case plugin(PluginStage)
    }

    /// The size of the pictures that it runs on.
    package let size: FrameSize
    let passes: [Pass]
    /// The names of the operations in each pass, and of the neutral ones that were left out.
    private let names: [[String]]
    private let neutral: [String]
    /// Whether an opaque picture may become transparent.
    package let changesAlpha: Bool

    /// - Parameters:
    ///   - operations: valid operations (`OperationCatalogue.validate`), first to last.
    ///   - frame: the frame whose time decides animated values and moving operations, counted from time 0 of the
    ///     keyframes.
    ///   - size: the size in pixels of the pictures that it will run on.
    ///   - tables: the lookup tables of the operations, by content hash.
    ///   - plugins: the plug-ins of the operations, by content hash.
    /// - Throws: `unknownOperation`, `missingTable`, `missingPlugin`, or a plug-in's reason to refuse the picture.
    package init(
        _ operations: [Operation], atFrame frame: Int, of frameRate: FrameRate, size: FrameSize,
        tables: [String: LookupTable] = [:], plugins: [String: any RunnablePlugin] = [:]
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
                guard let plugin = operation.source.flatMap({ plugins[$0] }) else {
                    throw OperationError(.missingPlugin, subject: call.name, message: "is a plug-in that was not loaded")
                }
                passes.append(.plugin(try operation.prepare(plugin, at: time, size: size)))
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

    /// Whether every picture stays unchanged, so that nothing has to be converted.
    package var isIdentity: Bool { passes.isEmpty }

    /// Whether a pixel can depend on others, so that transparent pixels affect their neighbours.
    package var mixesPixels: Bool { !isPixelwise }

    /// The pixel format in which a 4:2:0 picture is processed.
    /// - Parameter hasAlpha: whether the picture has transparency that the passes must process.
    func space(hasAlpha: Bool) -> Explanation.OperationSpace {
        if isIdentity { return .untouched }
        if !hasAlpha, passes.count == 1, case .gaussian = passes[0] { return .planes }
        return isPixelwise ? .rowsOfRGB : .pictureOfRGB
    }

    /// How `run` processes a 4:2:0 picture.
    /// - Parameters:
    ///   - hasAlpha: whether the picture has transparency that the passes must process.
    ///   - isCached: whether the caller reuses the result as long as the picture stays the same.
    package func decision(hasAlpha: Bool, isCached: Bool) -> Explanation.Decision {
        .operations(
            space: space(hasAlpha: hasAlpha), passes: zip(passes, names).map { Explanation.Pass(kind: $0.kind, operations: $1) },
            neutral: neutral, isCached: isCached)
    }

    /// Whether all passes are pixel-wise, so that rows can be processed one at a time.
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

    /// Runs all passes on a whole picture.
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
    fileprivate var kind: Explanation.Pass.Kind {
        switch self {
        case .pixelwise: .pixelwise
        case .spatial: .spatial
        case .gaussian: .gaussian
        case .plugin: .plugin
        }
    }
}
