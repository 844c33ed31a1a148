import ExportPlan
import Plugins
import TestSupport
import Testing
import FoundationEssentials

/// frei0r's mixers of two pictures compared with a small program in C that loads the same files, and with the formulas
/// of the simple ones.
@Suite("frei0r mixers")
struct Frei0rMixerTests {
    private static let size = FrameSize(width: 64, height: 48)

    static let names = [
        "addition", "addition_alpha", "alphaatop", "alphain", "alphainjection", "alphaout", "alphaover", "alphaxor", "blend",
        "burn", "cairoaffineblend", "cairoblend", "color_only", "composition", "darken", "difference", "divide", "dodge",
        "grain_extract", "grain_merge", "hardlight", "hue", "lighten", "multiply", "overlay", "saturation", "screen",
        "softlight", "subtract", "uvmap", "value", "xfade0r",
    ]

    @Test("A mixer makes what the program makes of the same two pictures, bit for bit")
    func witnessed() async throws {
        let witness = try await Frei0rWitness()
        let first = PluginPicture.noise(Self.size, isOpaque: false)
        let second = PluginPicture(size: Self.size, bytes: first.bytes.reversed())
        for name in Self.names {
            guard let directories = PluginDirectories.having(name) else { return }
            let file = try #require(directories.files.first { $0.name == name })
            let facts = try InstalledPlugins(directories).facts(ofPlugin: name)
            #expect(facts.plugin?.kind == .mixer)
            let (values, numbers) = Self.settings(facts)
            // `uvmap` takes green for a row, and reads one beyond the second picture where it is almost 0.
            let least: UInt8 = name == "uvmap" ? 8 : 0
            let pictures = [first, second].map { PluginPicture(size: $0.size, bytes: $0.bytes.map { max(least, $0) }) }
            let drawn = try PluginPicture.drawn(facts, in: directories, of: pictures, size: Self.size, values)
            let expected = try await witness.mixed(
                file.path, pictures[0].bytes, pictures[1].bytes, width: Self.size.width, height: Self.size.height,
                numbers: numbers)
            #expect(drawn.bytes == expected, "\(name)")
        }
    }

    /// A third for every number, by name and by index.
    private static func settings(_ facts: SourceFacts) -> ([String: PluginValue], [Int: Double]) {
        var (values, numbers): ([String: PluginValue], [Int: Double]) = ([:], [:])
        for (index, parameter) in (facts.plugin?.parameters ?? []).enumerated() where parameter.kind == .number {
            values[parameter.name] = .number(value: 0.3)
            numbers[index] = 0.3
        }
        return (values, numbers)
    }

    @Test(
        "Mixers with simple formulas follow them: colours are combined, and the lesser alpha stays",
        arguments: ["addition", "subtract", "difference", "darken", "lighten"])
    func formulas(_ name: String) throws {
        func formula(_ a: Int, _ b: Int) -> Int {
            switch name {
            case "addition": min(255, a + b)
            case "subtract": max(0, a - b)
            case "difference": abs(a - b)
            case "darken": min(a, b)
            default: max(a, b)
            }
        }
        guard let directories = PluginDirectories.having(name) else { return }
        let facts = try InstalledPlugins(directories).facts(ofPlugin: name)
        // A side of 37 is no multiple of 8.
        let size = FrameSize(width: 37, height: 22)
        let first = PluginPicture.noise(size, isOpaque: false)
        let second = PluginPicture(size: size, bytes: first.bytes.reversed())
        let drawn = try PluginPicture.drawn(facts, in: directories, of: [first, second], size: size)
        let expected = drawn.bytes.indices.map { index in
            let (a, b) = (Int(first.bytes[index]), Int(second.bytes[index]))
            return index % 4 == 3 ? UInt8(min(a, b)) : UInt8(formula(a, b))
        }
        #expect(drawn.bytes == expected)
    }

    @Test("A mixer of three pictures is refused by name")
    func three() throws {
        guard let directories = PluginDirectories.having("RGB") else { return }
        let error = #expect(throws: PluginError.self) { try InstalledPlugins(directories).facts(ofPlugin: "RGB") }
        #expect(error?.code == .unusable)
        #expect(error?.message.contains("mixer of three pictures") == true)
    }
}
