import ExportPlan
import Plugins
import TestSupport
import Testing
import FoundationEssentials

@Suite("Plug-in directories")
struct DirectoryTests {
    @Test("Spool's own path is searched first, then frei0r's, which has default directories")
    func order() {
        let usual = PluginDirectories(environment: ["HOME": "/home/anna"])
        #expect(usual.paths.prefix(3) == ["/home/anna/.frei0r-1/lib", "/usr/local/lib/frei0r-1", "/usr/lib/frei0r-1"])
        let named = PluginDirectories(environment: ["SPOOL_PLUGIN_PATH": "/a:/b", "FREI0R_PATH": "/c", "HOME": "/home/anna"])
        #expect(named.paths == ["/a", "/b", "/c"])
    }

    @Test("The first of two files of one name is used, and vendor directories are searched, too")
    func precedence() async throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        let winner = try await BuiltPlugins.plugin("same", "memset(output, 1, count);", in: first.file("vendor"))
        _ = try await BuiltPlugins.plugin("same", "memset(output, 2, count);", in: second.path)
        let other = try await BuiltPlugins.plugin("other", "memset(output, 3, count);", in: second.path)
        try Data("no library".utf8).write(to: URL(fileURLWithPath: second.file("readme.txt")))
        let directories = PluginDirectories.only(first.path, second.path)
        #expect(directories.files.map(\.path) == [other, winner])
        let facts = try InstalledPlugins(directories).facts(ofPlugin: "same")
        let picture = PluginPicture.noise(FrameSize(width: 8, height: 8))
        #expect(Set(try picture.applying(facts, in: directories).bytes) == [1])
    }

    @Test("An unknown name is refused with the names that exist")
    func unknown() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.example("negative", in: directory.path)
        func message(_ name: String) -> String? {
            #expect(throws: PluginError.self) { try InstalledPlugins(.only(directory.path)).facts(ofPlugin: name) }?.message
        }
        #expect(
            message("negativ")
                == "is not an installed plug-in; did you mean 'negative'? 'spool plugins' lists all 1")
        #expect(message("vertigo") == "is not an installed plug-in; there are negative")
        #expect(message("../negative")?.contains("is not an installed plug-in") == true)
        let empty = try TemporaryDirectory()
        let none = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(empty.path)).facts(ofPlugin: "negative")
        }
        #expect(
            none?.message
                == "is not installed: there are no plug-ins here; see 'spool doctor' for their directories")
    }

    @Test("A file that is not a library is refused as a fault of this machine")
    func broken() throws {
        let directory = try TemporaryDirectory()
        try Data("no library".utf8).write(to: URL(fileURLWithPath: directory.file("text.so")))
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "text")
        }
        #expect(error?.code == .cannotLoad)
        #expect(error?.message.hasPrefix("cannot be loaded: ") == true)
        #expect(error?.failureClass == .environment)
    }

    @Test("A library whose file is gone is refused with its path")
    func gone() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("gone.so")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory.file("nowhere"))
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "gone")
        }
        #expect(error?.code == .cannotLoad && error?.subject == "gone")
        #expect(
            error?.message
                == "cannot be loaded: '\(path)' cannot be read; check that it is there, and its permissions")
    }

    @Test("A library that is no plug-in is refused as such")
    func other() async throws {
        let directory = try TemporaryDirectory()
        _ = try await BuiltPlugins.library("other", "int nothing;", in: directory.path)
        let error = #expect(throws: PluginError.self) {
            try InstalledPlugins(.only(directory.path)).facts(ofPlugin: "other")
        }
        #expect(error?.code == .unusable)
        #expect(error?.message == "is neither a frei0r plug-in nor one for Spool")
    }

    @Test("A replaced library is another plug-in at once, and the old one is reported as missing")
    func replaced() async throws {
        let directory = try TemporaryDirectory()
        let directories = PluginDirectories.only(directory.path)
        let installed = InstalledPlugins(directories)
        _ = try await BuiltPlugins.plugin("paint", "memset(output, 1, count);", in: directory.path)
        let old = try installed.facts(ofPlugin: "paint")
        let picture = PluginPicture.noise(FrameSize(width: 8, height: 8))
        #expect(Set(try picture.applying(old, in: directories).bytes) == [1])
        _ = try await BuiltPlugins.plugin("paint", "memset(output, 2, count);", in: directory.path)
        let new = try installed.facts(ofPlugin: "paint")
        #expect(new.contentHash != old.contentHash)
        #expect(Set(try picture.applying(new, in: directories).bytes) == [2])
        let error = #expect(throws: PluginError.self) { try installed.plugin(old) }
        #expect(error?.failureClass == .environment)
        #expect(error?.message.contains(old.contentHash) == true)
    }
}
