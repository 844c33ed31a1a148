import LocalFarm
import TestSupport
import Testing
import FoundationEssentials

@Suite struct FarmSettingsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func file(_ text: String) throws -> String {
        let path = directory.file("spool.yaml")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("Flags override the environment, which overrides the file, which overrides the defaults")
    func order() throws {
        let file = try file("slots: 4\nroles: [audio, stitch]\ngrace: 7\n")
        let settings = try FarmSettings(
            flags: [.slots: "1"], environment: ["SPOOL_SLOTS": "2", "SPOOL_GRACE": "3"], file: file)
        #expect(try settings.integer(.slots, in: 0...9) == 1)
        #expect(try settings.integer(.grace, in: 0...9) == 3)
        #expect(try settings.list(.roles) == ["audio", "stitch"])
        #expect(try settings.text(.host) == "127.0.0.1")
    }

    @Test("An unknown name in a file is an error with the most similar known name")
    func unknown() throws {
        let file = try file("slotz: 4\nredisURL: redis://x\n")
        let fault = #expect(throws: FarmSettings.Fault.self) {
            try FarmSettings(flags: [:], environment: [:], file: file)
        }
        #expect(fault?.lines == ["slotz in '\(file)' is an unknown setting; did you mean 'slots'?"])
    }

    @Test("An unknown variable of the environment is a warning with the most similar known name")
    func unknownVariable() throws {
        let environment = [
            "SPOOL_REDIS_ULR": "x", "SPOOL_SLOTS": "3", "SPOOL_TOKEN": "t", "SPOOL_CACHE_SIZE": "1GB", "HOME": "/",
        ]
        let settings = try FarmSettings(flags: [:], environment: environment, file: try file("grace: 7\n"))
        #expect(
            settings.warnings == [
                "SPOOL_REDIS_ULR in the environment is an unknown setting and is ignored; did you mean 'SPOOL_REDIS_URL'?"
            ])
        #expect(try settings.integer(.slots, in: 0...9) == 3)
        #expect(try settings.integer(.grace, in: 0...9) == 7)
    }

    @Test("A file named on the command line must exist and be YAML", arguments: ["slots: [", "- a\n- b\n"])
    func faultyFile(_ text: String) throws {
        #expect(throws: FarmSettings.Fault.self) {
            try FarmSettings(flags: [:], environment: [:], file: directory.file("nothing.yaml"))
        }
        let file = try file(text)
        #expect(throws: FarmSettings.Fault.self) { try FarmSettings(flags: [:], environment: [:], file: file) }
    }

    @Test("A file that is too long is refused before it is read as YAML, and one at the limit is read")
    func longFile() throws {
        func settings(bytes: Int) throws -> FarmSettings {
            try FarmSettings(
                flags: [:], environment: [:], file: try file("slots: 4\n" + String(repeating: "#", count: bytes - 9)))
        }
        #expect(try settings(bytes: 100_000).integer(.slots, in: 0...100) == 4)
        let fault = #expect(throws: FarmSettings.Fault.self) { try settings(bytes: 100_001) }
        #expect(fault?.lines.first?.contains("has 100001 bytes, and settings have at most 100000") == true)
    }

    @Test("A file that is no list of settings is refused with an example of one")
    func otherFile() throws {
        let file = try file("- a\n")
        let fault = #expect(throws: FarmSettings.Fault.self) {
            try FarmSettings(flags: [:], environment: [:], file: file)
        }
        #expect(fault?.lines == ["'\(file)' has to be a list of settings, such as slots: 4"])
    }

    @Test("A fault of a file says where it is")
    func placedFault() throws {
        let broken = try file("slots: 1\nroles: [\n")
        let fault = #expect(throws: FarmSettings.Fault.self) {
            try FarmSettings(flags: [:], environment: [:], file: broken)
        }
        #expect(fault?.lines.first?.hasPrefix("'\(broken)' is not YAML: line 3, column 1: ") == true)
        let nested = try file("slots: {a: 1}\n")
        let other = #expect(throws: FarmSettings.Fault.self) {
            try FarmSettings(flags: [:], environment: [:], file: nested)
        }
        #expect(other?.lines == ["slots in '\(nested)' has to be a value or a list of values"])
    }

    @Test("A missing required setting is an error that says how to set it")
    func required() throws {
        let settings = try FarmSettings(flags: [:], environment: [:], file: try file("slots: many"))
        let missing = #expect(throws: FarmSettings.Fault.self) { try settings.text(.redisURL) }
        #expect(
            missing?.lines == ["redisURL is not set; give --redis-url, SPOOL_REDIS_URL, or redisURL in a file"])
        let wrong = #expect(throws: FarmSettings.Fault.self) { try settings.integer(.slots, in: 0...1024) }
        #expect(wrong?.lines == ["slots has to be 0...1024, not 'many'"])
    }

    @Test("docs/configuration.md has the list of settings that the program prints")
    func reference() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let document = try String(contentsOfFile: root.path + "/docs/configuration.md", encoding: .utf8)
        #expect(document.contains(FarmSettings.reference))
    }
}
