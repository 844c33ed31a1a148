import ExportPlan
import Glibc
import Plugins
import ProcessIsolation

/// The files that an order gives to a sandboxed process.
struct OrderedFiles: Hashable {
    private(set) var readable: [String] = []
    private(set) var hidden: [String] = []
    private(set) var writable: [String] = []
    private var fileSystem: String?

    /// - Parameter line: the order; no files where it is not one.
    init(ofOrder line: String?) {
        // A fault of the order is reported when it is run.
        guard let line, let order = try? MessageLine.decode(RenderOrder.self, line) else { return }
        readable = (order.readable ?? []) + (order.marker.map { [$0] } ?? [])
        // The marker lies in the farm's store, in which nothing else is for this process but its tenant's files.
        hidden = order.marker.map { [OrderedFiles.folder(of: $0)] } ?? []
        writable = [order.store]
        fileSystem = order.fileSystem
    }

    /// The files of a process without orders.
    /// - Parameter store: the directory that it may write; nil for none.
    init(store: String?) { writable = store.map { [$0] } ?? [] }

    static func folder(of path: String) -> String { path.split(separator: "/").dropLast().map { "/" + $0 }.joined() }
}

extension FileView {
    /// What a rendering process may use: what programs of this machine need, its fonts and plug-ins, and the files of its
    /// orders.
    static func ofRenderer(_ files: OrderedFiles) -> FileView {
        FileView(
            system: libraries + fonts + plugins + ownLibraries, readable: files.readable, hidden: files.hidden,
            writable: files.writable)
    }

    /// The directories of fonts and of fontconfig beside those of the machine.
    private static var fonts: [String] {
        let home = variable("HOME")
        func base(_ name: String, _ usual: String) -> String? { variable(name) ?? home.map { "\($0)/\(usual)" } }
        return list("SPOOL_FONT_PATH") + list("FONTCONFIG_PATH") + list("FONTCONFIG_FILE")
            + [
                home.map { "\($0)/.fonts" }, base("XDG_DATA_HOME", ".local/share").map { "\($0)/fonts" },
                base("XDG_CONFIG_HOME", ".config").map { "\($0)/fontconfig" },
                base("XDG_CACHE_HOME", ".cache").map { "\($0)/fontconfig" },
            ].compactMap(\.self)
    }

    private static var plugins: [String] {
        let directories = PluginDirectories.current
        return directories.paths + directories.ladspaPaths + directories.lv2Paths
    }

    /// The directory of the program, and further directories of libraries that it was started with.
    private static var ownLibraries: [String] {
        guard let path = realpath("/proc/self/exe", nil) else { return list("LD_LIBRARY_PATH") }
        defer { free(path) }
        return [OrderedFiles.folder(of: String(cString: path))] + list("LD_LIBRARY_PATH")
    }

    private static func list(_ name: String) -> [String] {
        variable(name)?.split(separator: ":").map(String.init) ?? []
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
