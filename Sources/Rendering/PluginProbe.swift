import ExportPlan
import Plugins

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Seconds of processor time after which a plug-in hangs. Those that work need some hundredths.
private let patience = 5

/// Loads a plug-in, tries it and says what it is. One that hangs ends this process, as one that crashes does.
func pluginFacts(_ name: String) throws(PluginError) -> SourceFacts {
    var limit = itimerval()
    limit.it_value.tv_sec = patience
    // Processor time, so that a busy machine makes no difference; its signal kills.
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
    defer {
        var none = itimerval()
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &none, nil)
    }
    return try InstalledPlugins().facts(ofPlugin: name)
}
