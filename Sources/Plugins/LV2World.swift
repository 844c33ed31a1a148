import CLilv
import ContentHashing
import ExportPlan
import FoundationEssentials

/// The LV2 plug-ins of this machine, as lilv finds them in the directories of `LV2_PATH` or its usual ones. libavfilter's
/// host looks in the same places. Nothing of a plug-in is run here; its declaration is text.
final class LV2World {
    /// The description that a plug-in gives of itself, and its files.
    struct Plugin {
        var uri: String
        /// The folder of the plug-in with all that it needs.
        var bundle: String
        var library: String
        var facts: Result<PluginFacts, PluginError>
    }

    /// The bytes of a bundle that is hashed.
    private static let mostBytes = 256 << 20

    /// The LV2 features that libavfilter's host has.
    private static let offered: Set<String> = [
        "http://lv2plug.in/ns/ext/urid#map", "http://lv2plug.in/ns/ext/urid#unmap",
        "http://lv2plug.in/ns/ext/buf-size#powerOf2BlockLength", "http://lv2plug.in/ns/ext/buf-size#fixedBlockLength",
        "http://lv2plug.in/ns/ext/buf-size#boundedBlockLength",
    ]

    private let world: OpaquePointer
    private let plugins: UnsafeRawPointer

    /// - Throws: `cannotLoad` if lilv cannot start.
    init() throws(PluginError) {
        guard let world = lilv_world_new() else {
            throw PluginError(.cannotLoad, subject: "lilv", message: "cannot start")
        }
        lilv_world_load_all(world)
        guard let plugins = lilv_world_get_all_plugins(world) else {
            lilv_world_free(world)
            throw PluginError(.cannotLoad, subject: "lilv", message: "lists no plug-ins")
        }
        self.world = world
        self.plugins = plugins
    }

    deinit { lilv_world_free(world) }

    /// The URIs of all plug-ins with the paths of their libraries, sorted.
    var names: [(uri: String, library: String)] {
        var found: [(uri: String, library: String)] = []
        var place = lilv_plugins_begin(plugins)
        while !lilv_plugins_is_end(plugins, place) {
            if let plugin = lilv_plugins_get(plugins, place) {
                let library = path(lilv_plugin_get_library_uri(plugin))
                found.append((text(lilv_plugin_get_uri(plugin)), library))
            }
            place = lilv_plugins_next(plugins, place)
        }
        return found.sorted { $0.uri < $1.uri }
    }

    /// - Returns: nil if no plug-in has the URI.
    func plugin(_ uri: String) -> Plugin? {
        guard let node = lilv_new_uri(world, uri) else { return nil }
        defer { lilv_node_free(node) }
        guard let plugin = lilv_plugins_get_by_uri(plugins, node) else { return nil }
        return Plugin(
            uri: uri, bundle: path(lilv_plugin_get_bundle_uri(plugin)), library: path(lilv_plugin_get_library_uri(plugin)),
            facts: facts(of: plugin, uri))
    }

    /// The hash of a plug-in's bundle: of the names and the contents of all of its files, and of its library.
    /// - Throws: `cannotLoad`, `unusable`.
    static func contentHash(of plugin: Plugin) throws(PluginError) -> (hash: String, byteCount: Int) {
        let name = SoundPluginName.lv2(uri: plugin.uri).text
        // A bundle that cannot be listed has at least its library, or cannot be used.
        let inside = ((try? FileManager.default.subpathsOfDirectory(atPath: plugin.bundle)) ?? []).sorted()
        var (lines, count) = ("", 0)
        for (label, path) in inside.map({ ($0, plugin.bundle + $0) }) + [("", plugin.library)]
        where FileKind.complaint(about: path) == nil {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw PluginError(
                    .cannotLoad, subject: name,
                    message: "cannot be loaded: '\(path)' cannot be read; check that it is there, and its permissions")
            }
            count += bytes.count
            guard count <= mostBytes else {
                throw PluginError(
                    .unusable, subject: name, message: "has more than \(mostBytes >> 20) MB of files in '\(plugin.bundle)'")
            }
            lines += "\(label)\n\(ContentHash.of(bytes))\n"
        }
        return (ContentHash.of(lines.utf8), count)
    }

    private func text(_ node: OpaquePointer?) -> String { String(plugin: node.flatMap { lilv_node_as_string($0) }) }

    private func path(_ uri: OpaquePointer?) -> String {
        guard let uri, let path = lilv_file_uri_parse(lilv_node_as_uri(uri), nil) else { return "" }
        defer { lilv_free(path) }
        return String(cString: path)
    }

    private func facts(of plugin: OpaquePointer, _ uri: String) -> Result<PluginFacts, PluginError> {
        let name = SoundPluginName.lv2(uri: uri).text
        func unusable(_ reason: String) -> Result<PluginFacts, PluginError> {
            .failure(PluginError(.unusable, subject: name, message: reason))
        }
        let missing = requiredFeatures(of: plugin).subtracting(LV2World.offered)
        if !missing.isEmpty {
            return unusable("needs \(missing.sorted().map { "<\($0)>" }.joined(separator: ", ")), which FFmpeg's host lacks")
        }
        let count = Int(lilv_plugin_get_num_ports(plugin))
        var (low, high, standard) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count), [Float]())
        standard = low
        lilv_plugin_get_port_ranges_float(plugin, &low, &high, &standard)
        var (inputs, outputs) = (0, 0)
        var controls: [PluginFacts.Parameter] = []
        for index in 0..<count {
            guard let port = lilv_plugin_get_port_by_index(plugin, UInt32(index)) else { continue }
            let isInput = isA(plugin, port, "InputPort")
            if isA(plugin, port, "CVPort") {
                return unusable("has a port for control voltages, which FFmpeg's host does not serve")
            }
            if isA(plugin, port, "AudioPort") {
                if isInput { inputs += 1 } else { outputs += 1 }
            } else if isInput, isA(plugin, port, "ControlPort") {
                if has(plugin, port, "sampleRate") {
                    return unusable("has a control in multiples of the sample rate, which FFmpeg's host does not know")
                }
                controls.append(control(plugin, port, low[index], high[index], standard[index]))
            }
        }
        if let reason = SoundPorts.complaint(inputs: inputs, outputs: outputs) { return unusable(reason) }
        let title = lilv_plugin_get_name(plugin)
        let author = lilv_plugin_get_author_name(plugin)
        defer {
            lilv_node_free(title)
            lilv_node_free(author)
        }
        return .success(
            PluginFacts(
                name: name, title: text(title), explanation: "", author: text(author), parameters: controls, channels: inputs))
    }

    private func control(
        _ plugin: OpaquePointer, _ port: OpaquePointer, _ low: Float, _ high: Float, _ standard: Float
    ) -> PluginFacts.Parameter {
        let title = lilv_port_get_name(plugin, port)
        defer { lilv_node_free(title) }
        let unlimited = Float.greatestFiniteMagnitude
        let isToggled = has(plugin, port, "toggled")
        return PluginFacts.Parameter(
            name: text(lilv_port_get_symbol(plugin, port)), kind: .number, explanation: text(title),
            default: standard.isFinite ? .number(value: Double(standard)) : nil,
            minimum: Double(low.isFinite ? low : isToggled ? 0 : -unlimited),
            maximum: Double(high.isFinite ? high : isToggled ? 1 : unlimited),
            isWhole: isToggled || has(plugin, port, "integer") ? true : nil)
    }

    private func requiredFeatures(of plugin: OpaquePointer) -> Set<String> {
        guard let nodes = lilv_plugin_get_required_features(plugin) else { return [] }
        defer { lilv_nodes_free(nodes) }
        var features: Set<String> = []
        var place = lilv_nodes_begin(nodes)
        while !lilv_nodes_is_end(nodes, place) {
            features.insert(text(lilv_nodes_get(nodes, place)))
            place = lilv_nodes_next(nodes, place)
        }
        return features
    }

    /// Asks about a port with a term of LV2's core vocabulary.
    private func asking(_ term: String, _ body: (OpaquePointer) -> Bool) -> Bool {
        guard let node = lilv_new_uri(world, "http://lv2plug.in/ns/lv2core#\(term)") else { return false }
        defer { lilv_node_free(node) }
        return body(node)
    }

    private func isA(_ plugin: OpaquePointer, _ port: OpaquePointer, _ kind: String) -> Bool {
        asking(kind) { lilv_port_is_a(plugin, port, $0) }
    }

    private func has(_ plugin: OpaquePointer, _ port: OpaquePointer, _ property: String) -> Bool {
        asking(property) { lilv_port_has_property(plugin, port, $0) }
    }
}
