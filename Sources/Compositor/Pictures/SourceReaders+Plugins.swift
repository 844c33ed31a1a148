import ExportPlan
import Media
import Operations
import Plugins

/// Loads the plug-ins that operations, generators and mixers call.
extension SourceReaders {
    /// - Returns: the plug-ins by content hash.
    /// - Throws: `missingPlugin` when this machine does not have exactly that plug-in; `unusablePlugin`.
    func plugins(of operations: [Operation]) throws(MediaError) -> [String: any RunnablePlugin] {
        var found: [String: any RunnablePlugin] = [:]
        for operation in operations where operation.plugin != nil {
            guard let hash = operation.source, found[hash] == nil else { continue }
            let facts = try source(hash).facts
            do throws(PluginError) {
                found[hash] = try InstalledPlugins().plugin(facts)
            } catch {
                throw MediaError(
                    error.failureClass == .environment ? .missingPlugin : .unusablePlugin, subject: error.subject,
                    message: error.message)
            }
        }
        return found
    }
}
