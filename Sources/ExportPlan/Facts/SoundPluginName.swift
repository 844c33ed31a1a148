/// The name of a plug-in that filters sounds, as `PluginLocation` has it: `ladspa/FILE/LABEL` or `lv2/URI`. Names of
/// plug-ins for pictures are names of files and have no `/`.
package enum SoundPluginName: Hashable, Sendable {
    /// - Parameters:
    ///   - file: the name of the library, without directory and extension.
    ///   - label: the plug-in in the library.
    case ladspa(file: String, label: String)
    case lv2(uri: String)

    /// Nil for any other name.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch parts.first {
        case "ladspa" where parts.count == 3 && !parts[1].isEmpty && !parts[2].isEmpty:
            self = .ladspa(file: parts[1], label: parts[2])
        case "lv2" where text.utf8.count > 4: self = .lv2(uri: String(text.dropFirst(4)))
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .ladspa(let file, let label): "ladspa/\(file)/\(label)"
        case .lv2(let uri): "lv2/\(uri)"
        }
    }
}
