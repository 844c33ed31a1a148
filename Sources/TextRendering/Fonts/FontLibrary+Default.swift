import CPango

extension FontLibrary {
    /// Runs `body` with these fonts as those of every library that asks Pango for its fonts, in this thread only. Call it
    /// while `FontLock` is held.
    func withFontMap<Result>(_ body: () -> Result) -> Result {
        guard let map = spool_font_map_new(config, 96) else { return body() }
        spool_font_map_make_default(map)
        defer {
            spool_font_map_make_default(nil)
            spool_font_map_free(map)
        }
        return body()
    }
}
