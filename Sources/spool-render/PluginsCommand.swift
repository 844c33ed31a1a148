import ArgumentParser
import Plugins
import ExportPlan

/// `spool-render plugins` lists the plug-in files. `spool doctor` and `spool plugins` run it. It loads no plug-in,
/// because each may crash.
struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "Print which plug-in files there are, as JSON.")

    func run() throws {
        let directories = PluginDirectories.current
        let found = FoundPlugins(
            directories: directories.paths, files: directories.files.map { .init(name: $0.name, path: $0.path) })
        print(String(decoding: try MessageLine.encode(found), as: UTF8.self), terminator: "")
    }
}
