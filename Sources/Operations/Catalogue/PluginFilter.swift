import ExactTime
package import ExportPlan

/// A loaded plug-in as operations see it: a chain runs it for an `externalFilter`. The target Plugins finds and loads
/// plug-ins; this target only knows the protocol.
package protocol PluginFilter: Sendable {
    /// Prepares the plug-in for one picture.
    /// - Parameters:
    ///   - values: the parameter values by name. A parameter that is not given has the plug-in's default.
    ///   - size: the picture's size in pixels.
    ///   - time: the picture's time in seconds since the start of its clip, layer or effect.
    /// - Throws: `pluginRefused`.
    func prepare(_ values: [String: PluginValue], size: FrameSize, time: Double) throws(OperationError) -> PluginStage
}

/// Makes a new picture from a whole picture. Both are 8-bit red, green, blue and straight alpha, in rows without gaps.
package typealias PluginStage = ([UInt8]) -> [UInt8]

extension OperationChain {
    static func stage(
        _ call: PluginCall, _ operation: Operation, at time: MediaTime, _ size: FrameSize, _ plugins: [String: any PluginFilter]
    ) throws(OperationError) -> PluginStage {
        guard let plugin = operation.source.flatMap({ plugins[$0] }) else {
            throw OperationError(.missingPlugin, subject: call.name, message: "is a plug-in that was not loaded")
        }
        let numbers = operation.parameters.mapValues { PluginValue.number(value: $0.value(at: time)) }
        let values = call.settings.merging(numbers) { _, number in number }
        return try plugin.prepare(values, size: size, time: operation.ownTime(at: time).doubleValue)
    }
}

extension FloatPicture {
    /// Runs a plug-in on 8-bit pixels, the only format that plug-ins know. An opaque picture stays opaque, whatever
    /// alpha the plug-in returns.
    mutating func run(_ stage: PluginStage) {
        let stride = 4 * size.width
        var bytes = [UInt8](repeating: 0, count: stride * size.height)
        bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            withRows(0..<size.height) { row in RowConversion.pack(row, into: base + row.y * stride, step: 4) }
        }
        let result = stage(bytes)
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
