import ArgumentParser
import Plugins
import ExportPlan

/// `spool-render plugins` lists the plug-in files. `spool doctor` and `spool plugins` run it. It loads no plug-in,
/// because each may crash; with `--ladspa` it loads one library to list its plug-ins.
struct PluginsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "Print which plug-in files there are, as JSON.")

    @Option(help: "Print the plug-ins in this LADSPA library instead.")
    var ladspa: String?

    func run() throws {
        let directories = PluginDirectories.current
        if let ladspa {
            let names = try InstalledPlugins(directories).names(inLadspaLibrary: ladspa)
            return print(String(decoding: try MessageLine.encode(names), as: UTF8.self), terminator: "")
        }
        let found = FoundPlugins(
            directories: directories.paths + directories.ladspaPaths + directories.lv2Paths,
            files: directories.files.map { .init(name: $0.name, path: $0.path) } + (try InstalledPlugins(directories).lv2Files()),
            ladspaLibraries: directories.ladspaLibraries.map { .init(name: $0.name, path: $0.path) })
        print(String(decoding: try MessageLine.encode(found), as: UTF8.self), terminator: "")
    }
}
