package import ExactTime
package import ExportPlan

/// A loaded plug-in as operations and the compositor see it: a chain runs it for an `externalFilter`, and the compositor
/// runs generators and mixers. The target Plugins finds and loads plug-ins; this target only knows the protocol.
package protocol RunnablePlugin: Sendable {
    /// Prepares the plug-in for one picture.
    /// - Parameters:
    ///   - values: the parameter values by name. A parameter that is not given has the plug-in's default.
    ///   - size: the size of the picture, and of those that it is made of, in pixels.
    ///   - time: the picture's time in seconds since the start of its clip, layer, effect or transition.
    /// - Throws: `pluginRefused`.
    func prepare(_ values: [String: PluginValue], size: FrameSize, time: Double) throws(OperationError) -> PluginStage
}

/// Makes a new picture from as many pictures as the plug-in's kind takes. All are 8-bit red, green, blue and straight
/// alpha, in rows without gaps.
package typealias PluginStage = (_ inputs: [[UInt8]]) -> [UInt8]

extension Operation {
    /// Prepares a plug-in to run as the operation says.
    /// - Parameters:
    ///   - plugin: the plug-in of the operation's `source`.
    ///   - time: the time of the keyframes.
    ///   - ownTime: the time that the plug-in is given; nil for the operation's own time at `time`.
    ///   - numbers: further values, by parameter name.
    /// - Throws: `pluginRefused`.
    package func prepare(
        _ plugin: any RunnablePlugin, at time: MediaTime, ownTime: MediaTime? = nil, size: FrameSize,
        setting numbers: [String: Double] = [:]
    ) throws(OperationError) -> PluginStage {
        var values = self.plugin?.settings ?? [:]
        for (name, number) in parameters { values[name] = .number(value: number.value(at: time)) }
        for (name, number) in numbers { values[name] = .number(value: number) }
        return try plugin.prepare(values, size: size, time: (ownTime ?? self.ownTime(at: time)).doubleValue)
    }
}

extension FloatPicture {
    /// Runs a filter on 8-bit pixels, the only format that plug-ins know. An opaque picture stays opaque, whatever
    /// alpha the plug-in returns.
    mutating func run(_ stage: PluginStage) {
        let stride = 4 * size.width
        var bytes = [UInt8](repeating: 0, count: stride * size.height)
        bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            withRows(0..<size.height) { row in RowConversion.pack(row, into: base + row.y * stride, step: 4) }
        }
        let result = stage([bytes])
        precondition(result.count == bytes.count, "a plug-in's picture keeps its size")
        let isTranslucent = hasAlpha
        result.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            withRows(0..<size.height) { row in
                RowConversion.unpack(base + row.y * stride, step: 4, into: row)
                if !isTranslucent { row.alpha.update(repeating: 1, count: row.count) }
            }
        }
    }
}
