import TestSupport
import Testing
import FoundationEssentials

/// `scripts/install-dependencies`, with a package manager that has no packages and installs nothing.
@Suite struct InstallationTests {
    private let directory: TemporaryDirectory
    private let script: String

    init() throws {
        directory = try TemporaryDirectory()
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        script = root.path + "/scripts/install-dependencies"
        try program("dpkg-query", "exit 1")
        try program("apt-get", "echo \"$@\" >> '\(directory.file("installed"))'")
        try program("sudo", "exec \"$@\"")
        for tool in ["bash", "env", "id", "grep"] {
            try FileManager.default.createSymbolicLink(atPath: directory.file(tool), withDestinationPath: "/usr/bin/\(tool)")
        }
    }

    private func program(_ name: String, _ line: String) throws {
        let text = Data("#!/usr/bin/bash\n\(line)\n".utf8)
        _ = FileManager.default.createFile(
            atPath: directory.file(name), contents: text, attributes: [.posixPermissions: 0o755])
    }

    @Test("Without Swift the script says so before it installs anything")
    func noSwift() async throws {
        let outcome = try await ShellTool.run("PATH='\(directory.path)' /usr/bin/bash '\(script)'")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("the Swift toolchain (6.2 or newer) is missing"))
        #expect(outcome.output == "")
        #expect(!FileManager.default.fileExists(atPath: directory.file("installed")))
    }

    @Test("On a minimal Debian the script also installs what the Swift toolchain needs")
    func minimalDebian() async throws {
        try program("swift", "exit 0")
        let outcome = try await ShellTool.run("PATH='\(directory.path)' /usr/bin/bash '\(script)'")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let installed = try String(contentsOfFile: directory.file("installed"), encoding: .utf8).split(separator: "\n").last ?? ""
        let packages = Set(installed.split(separator: " ").map(String.init))
        #expect(packages.isSuperset(of: ["libncurses6", "libcurl4", "libstdc++-12-dev", "libgcc-12-dev", "ca-certificates"]))
        #expect(packages.isSuperset(of: ["libavformat-dev", "postgresql-15", "make"]))
    }
}
