import ExportPlan
import Operations

/// Finds out whether a plug-in draws a frame the same way every time. Films are cut into segments and frames are drawn alone: an
/// effect that remembers earlier frames would draw others then, and one that follows the clock others every time.
///
/// It can only find what shows on a small picture of noise, with a few values of the parameters.
struct SteadinessCheck {
    private static let size = FrameSize(width: 64, height: 48)
    private static let time = 1.0 / 25

    let filter: any OpenablePlugin
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
        let (first, second) = (noise(1), noise(2))
        func opened() throws(OperationError) -> OpenedPlugin { try filter.open(values, size: SteadinessCheck.size) }
        let alone = try opened()(second, SteadinessCheck.time)
        _ = try opened()(first, 7)
        guard try opened()(second, SteadinessCheck.time) == alone else {
            throw OperationError(
                .pluginRefused, subject: facts.name,
                message: "draws the same frame differently every time; no film could be rendered twice")
        }
        let used = try opened()
        _ = used(first, 0)
        guard used(second, SteadinessCheck.time) == alone else {
            throw OperationError(
                .pluginRefused, subject: facts.name,
                message: "remembers earlier frames; what it draws would depend on where a film is cut into segments")
        }
    }

    /// Every number at this place of its range, every switch on.
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

    /// Opaque noise, always the same for a number.
    private func noise(_ number: UInt32) -> [UInt8] {
        var state = number
        return (0..<(4 * SteadinessCheck.size.width * SteadinessCheck.size.height)).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            return index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: state >> 24)
        }
    }
}
