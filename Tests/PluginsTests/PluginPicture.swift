import ExactTime
import ExportPlan
import Operations
import Plugins
import TestSupport

/// The 8-bit RGBA pictures, in rows without gaps, that tests give to plug-ins.
struct PluginPicture: Equatable {
    let size: FrameSize
    var bytes: [UInt8]

    /// - Parameter isOpaque: whether alpha is 255. Otherwise alpha is as random as the colours.
    static func noise(_ size: FrameSize, isOpaque: Bool = true) -> PluginPicture {
        var random = RandomNumbers(seed: 3)
        return PluginPicture(
            size: size,
            bytes: (0..<(4 * size.width * size.height)).map { index in
                isOpaque && index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
            })
    }

    /// The result of a chain that only calls this plug-in.
    func applying(
        _ facts: SourceFacts, in directories: PluginDirectories, numbers: [String: Double] = [:],
        settings: [String: PluginValue] = [:], at time: MediaTime = .zero, channels: Int = 4
    ) throws -> PluginPicture {
        let operation = Operation(
            name: "externalFilter", parameters: numbers.mapValues { .constant($0) }, source: facts.contentHash,
            start: .zero - time, plugin: PluginCall(name: facts.plugin?.name ?? "", settings: settings))
        let plugin = try InstalledPlugins(directories).plugin(facts)
        let chain = try OperationChain(
            [operation], atFrame: 0, of: FrameRate(25), size: size, plugins: [facts.contentHash: plugin])
        var result = self
        if channels == 3 { result.bytes = bytes.enumerated().filter { $0.offset % 4 < 3 }.map(\.element) }
        result.bytes.withUnsafeMutableBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            chain.run(on: InterleavedPixels(base: base, stride: size.width * channels, channels: channels))
        }
        return result
    }
}

extension PluginDirectories {
    /// Only these directories, and none of the machine's own.
    static func only(_ paths: String...) -> PluginDirectories {
        PluginDirectories(environment: [
            "SPOOL_PLUGIN_PATH": paths.joined(separator: ":"), "FREI0R_PATH": "/nonexistent",
        ])
    }
}
