import ExportPlan
import Plugins
import Glibc

/// The processor time, in seconds, after which a plug-in counts as hanging. Plug-ins that work need a few hundredths of
/// a second.
private let timeout = 5

/// Loads a plug-in, tries it and returns its facts. If the plug-in hangs or crashes, this process ends.
func pluginFacts(_ name: String) throws(PluginError) -> SourceFacts {
    var limit = itimerval()
    limit.it_value.tv_sec = timeout
    // The limit is on processor time, so that a busy machine makes no difference; the timer's signal ends the process.
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
    defer {
        var none = itimerval()
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &none, nil)
    }
    if let sound = SoundPluginName(name) { return try soundPluginFacts(sound) }
    return try InstalledPlugins().facts(ofPlugin: name)
}
