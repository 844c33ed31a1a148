import DraftModel
import ArgumentParser
import RenderingProcesses

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Options that several commands share.
struct DraftOptions: ParsableArguments {
    @Argument(help: "The draft, a JSON file; - reads it from standard input.")
    var draft: String

    @Option(name: .customLong("param"), help: ArgumentHelp("A value for a merge field of the draft.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(help: ArgumentHelp("A preset: \(ExportSettings.Preset.names)."))
    var preset: String?

    @Option(name: .customLong("set"), help: ArgumentHelp("An export setting, such as videoQuality=20.", valueName: "name=value"))
    var settings: [String] = []

    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp("A directory that sources may lie in; may be repeated. Default: any.", valueName: "directory"))
    var allowedDirectories: [String] = []

    @Flag(help: "Take warnings for errors: exit code 65.")
    var strict = false

    func validate() throws {
        _ = try DraftOptions.pairs(parameters, "--param")
        _ = try DraftOptions.pairs(settings, "--set")
    }

    func parameterValues() throws -> [String: String] { try DraftOptions.pairs(parameters, "--param") }

    func settingValues() throws -> [String: String] {
        var values = try DraftOptions.pairs(settings, "--set")
        if let preset { values["preset"] = preset }
        return values
    }

    static func pairs(_ texts: [String], _ option: String) throws -> [String: String] {
        var result: [String: String] = [:]
        for text in texts {
            guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
                throw ValidationError("\(option) takes name=value, not '\(text)'")
            }
            result[String(text[..<mark])] = String(text[text.index(after: mark)...])
        }
        return result
    }
}

/// How many processes, and where artifacts are kept.
struct WorkOptions: ParsableArguments {
    @Option(help: "Rendering processes at a time. Default: the machine's cores.")
    var jobs: Int?

    @Option(help: "Where finished segments are kept and found again. Default: $XDG_CACHE_HOME/spool.")
    var cache: String?

    func validate() throws {
        if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1...256, not \(jobs)") }
    }

    var slots: Int { jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    func pool() throws -> ChildPool { ChildPool(try Renderer.process(), store: cacheDirectory, slots: slots) }

    var cacheDirectory: String {
        if let cache { return cache }
        let environment = ProcessInfo.processInfo.environment
        if let base = environment["XDG_CACHE_HOME"], !base.isEmpty { return base + "/spool" }
        return (environment["HOME"] ?? "/tmp") + "/.cache/spool"
    }
}

extension ExportSettings.Preset {
    /// All of them, for the eye.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
