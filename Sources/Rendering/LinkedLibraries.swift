import TextRendering
import Media
import Soundtrack

/// The libraries that `spool-render` is linked with.
package enum LinkedLibraries {
    /// Their names and versions. `spool doctor` and `spool --version` print them.
    package static var versions: [(name: String, version: String)] {
        MediaRuntime.versions + SoundLibraries.versions + TextLibraries.versions + [SVGLibrary.version, CaptionLibrary.version]
    }
}
