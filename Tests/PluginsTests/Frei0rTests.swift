import ExactTime
import ExportPlan
import Operations
import Plugins
import TestSupport
import Testing
import FoundationEssentials

/// frei0r's effects compared with FFmpeg's frei0r filter, which loads the same files.
@Suite("frei0r effects")
struct Frei0rTests {
    /// An effect with some of its parameters.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var parameters: [String: PluginValue] = [:]
        /// The parameters for FFmpeg: all up to the last one given, in order.
        var words = ""
        var testDescription: String { "\(name) \(words)" }
    }

    static let cases: [Case] =
        [
            Case(name: "flippo", parameters: ["X axis": .bool(value: true)], words: "y|n"),
            Case(name: "colorize", parameters: ["hue": .number(value: 0.25)], words: "0.25"),
            Case(
                name: "tint0r",
                parameters: [
                    "Map black to": .color(color: RGBAColor(red: 255, green: 0, blue: 51, alpha: 255)),
                    "Map white to": .color(color: RGBAColor(red: 128, green: 255, blue: 128, alpha: 255)),
                    "Tint amount": .number(value: 0.5),
                ], words: "1/0/0.2|0.5019608/1/0.5019608|0.5"),
        ]
        + [
            "invert0r", "sobel", "flippo", "pixeliz0r", "hueshift0r", "twolay0r", "threelay0r", "primaries", "luminance",
            "contrast0r", "brightness", "saturat0r", "gamma", "edgeglow", "emboss", "IIRblur", "glow", "defish0r",
            "equaliz0r", "posterize",
        ].map { Case(name: $0) }

    @Test("An effect draws what FFmpeg's frei0r filter draws, bit for bit", arguments: cases)
    func witnessed(_ test: Case) async throws {
        guard let directories = PluginDirectories.having(test.name) else { return }
        let facts: SourceFacts
        do {
            facts = try InstalledPlugins(directories).facts(ofPlugin: test.name)
        } catch {
            Issue.record("\(error)")
            return
        }
        for (name, _) in test.parameters { #expect(facts.plugin?.parameters.contains { $0.name == name } == true) }
        let picture = PluginPicture.noise(FrameSize(width: 64, height: 48))
        var numbers: [String: Double] = [:]
        for case (let name, .number(let value)) in test.parameters { numbers[name] = value }
        let settings = test.parameters.filter { numbers[$0.key] == nil }
        let drawn = try picture.applying(facts, in: directories, numbers: numbers, settings: settings)
        let filter = "frei0r=\(test.name)" + (test.words.isEmpty ? "" : ":\(test.words)")
        #expect(try await Frei0rTests.ffmpeg(filter, picture) == drawn)
    }

    @Test("A size that is not a multiple of 8 is padded by repeating the edge, and cut off again")
    func padded() throws {
        guard let directories = PluginDirectories.having("IIRblur") else { return }
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "IIRblur")
        let picture = PluginPicture.noise(FrameSize(width: 37, height: 21))
        var padded = PluginPicture(size: FrameSize(width: 40, height: 24), bytes: [])
        for y in 0..<24 {
            for x in 0..<40 {
                let place = 4 * (min(y, 20) * 37 + min(x, 36))
                padded.bytes += picture.bytes[place..<(place + 4)]
            }
        }
        let whole = try padded.applying(facts, in: directories)
        let drawn = try picture.applying(facts, in: directories)
        let cut: [UInt8] = (0..<21).flatMap { y in Array(whole.bytes[(y * 160)..<(y * 160 + 148)]) }
        #expect(drawn.bytes == cut)
        #expect(drawn != picture)
    }

    @Test("Parameters have the kinds and the defaults that the effect declares")
    func declared() throws {
        guard let directories = PluginDirectories.having("IIRblur") else { return }
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "IIRblur")
        #expect(facts.container == "frei0r")
        let parameters = try #require(facts.plugin?.parameters)
        #expect(parameters.map(\.name) == ["Amount", "Type", "Edge"])
        #expect(parameters.map(\.kind) == [.number, .number, .bool])
        #expect(parameters[2].default == .bool(value: true))
    }

    @Test(
        "Effects that remember frames are refused", arguments: ["vertigo", "delay0r", "glitch0r", "ising0r"])
    func refused(name: String) throws {
        guard let directories = PluginDirectories.having(name) else { return }
        let error = #expect(throws: PluginError.self) { try InstalledPlugins(directories).facts(ofPlugin: name) }
        #expect(error?.code == .unusable)
    }

    @Test(
        "A frei0r library that does not keep to the interface is refused with what is wrong",
        arguments: [
            ("0, 0, 1", "is a frei0r effect that fails to start"), ("1, 9, 1", "is a frei0r effect of an unknown type"),
            ("1, 2, 1", "is a frei0r effect without a function that draws"),
            ("1, 0, 7", "needs a newer interface than frei0r 1.2"),
            ("1, 0, 1", "is a frei0r effect that fails to create an instance"),
        ])
    func faulty(numbers: String, message: String) async throws {
        // Whether it starts, its type and its version; it never makes an instance.
        let text = """
            #include <stddef.h>
            #include <stdint.h>
            typedef struct {
                const char *name, *author;
                int type, color, frei0r, major, minor, parameters;
                const char *explanation;
            } info;
            static const int numbers[] = {\(numbers)};
            int f0r_init(void) { return numbers[0]; }
            void f0r_get_plugin_info(info *it) { *it = (info){"Odd", "Tester", numbers[1], 0, numbers[2], 1, 0, 0, "odd"}; }
            void f0r_get_param_info(void *it, int index) { (void)it, (void)index; }
            void *f0r_construct(unsigned width, unsigned height) { (void)width, (void)height; return NULL; }
            void f0r_destruct(void *it) { (void)it; }
            void f0r_set_param_value(void *it, void *value, int index) { (void)it, (void)value, (void)index; }
            void f0r_get_param_value(void *it, void *value, int index) { (void)it, (void)value, (void)index; }
            void f0r_update(void *it, double time, const uint32_t *input, uint32_t *output) {
                (void)it, (void)time, (void)input, (void)output;
            }
            """
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.library("odd", text, in: directory.path)
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "odd")
        }
        #expect(error?.code == .unusable && error?.message == message)
    }

    /// An effect in C that brightens each frame by what its instance remembers.
    /// - Parameters:
    ///   - widest: the greatest width for which it makes an instance.
    ///   - step: by how much the next frame of an instance is brighter.
    private static func effect(widest: Int, step: Int) -> String {
        """
        #include <stdint.h>
        #include <stdlib.h>
        typedef struct {
            const char *name, *author;
            int type, color, frei0r, major, minor, parameters;
            const char *explanation;
        } info;
        typedef struct { size_t count; uint32_t offset; } instance;
        int f0r_init(void) { return 1; }
        void f0r_get_plugin_info(info *it) { *it = (info){"Odd", "Tester", 0, 1, 1, 1, 0, 0, "odd"}; }
        void f0r_get_param_info(void *it, int index) { (void)it, (void)index; }
        void *f0r_construct(unsigned width, unsigned height) {
            if (width > \(widest)) return NULL;
            instance *it = calloc(1, sizeof *it);
            it->count = (size_t)width * height;
            return it;
        }
        void f0r_destruct(void *it) { free(it); }
        void f0r_set_param_value(void *it, void *value, int index) { (void)it, (void)value, (void)index; }
        void f0r_get_param_value(void *it, void *value, int index) { (void)it, (void)value, (void)index; }
        void f0r_update(void *it, double time, const uint32_t *input, uint32_t *output) {
            instance *own = it;
            (void)time;
            for (size_t i = 0; i < own->count; i++) output[i] = input[i] + own->offset;
            own->offset += \(step);
        }
        """
    }

    @Test("An effect whose next frame depends on the one before is refused with the reason")
    func remembering() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.library("odd", Frei0rTests.effect(widest: 4096, step: 1), in: directory.path)
        let error = try #require(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "odd")
        }
        #expect(error.code == .unusable)
        #expect(
            error.message
                == "remembers earlier frames; what it draws would depend on where a film is cut into segments")
    }

    @Test("An effect that makes no instance for a size is named with the size and what to do")
    func refusedSize() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.library("odd", Frei0rTests.effect(widest: 64, step: 0), in: directory.path)
        let directories = PluginDirectories.only(directory.path)
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "odd")
        let picture = PluginPicture.noise(FrameSize(width: 80, height: 8))
        let error = try #require(throws: OperationError.self) { try picture.applying(facts, in: directories) }
        #expect(error.code == .pluginRefused && error.subject == "odd")
        #expect(error.message == "does not take a picture of 80x8 pixels; leave it out, or use another size")
    }

    private static func ffmpeg(_ filter: String, _ picture: PluginPicture) async throws -> PluginPicture {
        let directory = try TemporaryDirectory()
        let (from, to) = (directory.file("from.raw"), directory.file("to.raw"))
        try Data(picture.bytes).write(to: URL(fileURLWithPath: from))
        let raw = ["-f", "rawvideo", "-pix_fmt", "rgba"]
        try await FFmpegTool.ffmpeg(
            raw + ["-s", "\(picture.size)", "-i", from, "-vf", filter] + raw + [to])
        return PluginPicture(size: picture.size, bytes: [UInt8](try Data(contentsOf: URL(fileURLWithPath: to))))
    }
}
