import ExportPlan
import Operations

/// Checks that a plug-in draws a frame in the same way every time. Films are cut into segments and frames are drawn
/// separately. An effect that remembers earlier frames would then draw different pictures, and an effect that depends
/// on the clock would draw a different picture every time.
///
/// The check only finds differences that show on a small picture of noise with a few values of the parameters.
struct ReproducibilityCheck {
    private static let size = FrameSize(width: 64, height: 48)
    private static let time = 1.0 / 25

    let plugin: any OpenablePlugin
    let facts: PluginFacts

    /// - Throws: `unusable`.
    func run() throws(PluginError) {
        for values in [[:], values(at: 0.5), values(at: 1)] {
            do throws(OperationError) {
                try check(values)
            } catch {
                throw PluginError(.unusable, subject: facts.name, message: error.message)
            }
        }
    }

    private func check(_ values: [String: PluginValue]) throws(OperationError) {
        let count = (facts.kind ?? .filter).inputCount
        let (first, second) = ((0..<count).map { noise(UInt32($0 + 1)) }, (0..<count).map { noise(UInt32($0 + 11)) })
        func opened() throws(OperationError) -> OpenedPlugin { try plugin.open(values, size: ReproducibilityCheck.size) }
        let alone = try opened()(second, ReproducibilityCheck.time)
        _ = try opened()(first, 7)
        guard try opened()(second, ReproducibilityCheck.time) == alone else {
            throw OperationError(
                .pluginRefused, subject: facts.name,
                message: "draws the same frame differently every time; no film could be rendered twice")
        }
        let used = try opened()
        _ = used(first, 0)
        guard used(second, ReproducibilityCheck.time) == alone else {
            throw OperationError(
                .pluginRefused, subject: facts.name,
                message: "remembers earlier frames; what it draws would depend on where a film is cut into segments")
        }
    }

    /// Every number at this position of its range, and every switch on.
    private func values(at place: Double) -> [String: PluginValue] {
        var values: [String: PluginValue] = [:]
        for parameter in facts.parameters {
            switch parameter.kind {
            case .number:
                values[parameter.name] = .number(
                    value: parameter.minimum + (parameter.maximum - parameter.minimum) * place)
            case .bool: values[parameter.name] = .bool(value: true)
            case .color, .position, .text: break
            }
        }
        return values
    }

    /// Opaque noise that is always the same for a given number.
    private func noise(_ number: UInt32) -> [UInt8] {
        var state = number
        return (0..<(4 * ReproducibilityCheck.size.width * ReproducibilityCheck.size.height)).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            return index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 24)
        }
    }
}
