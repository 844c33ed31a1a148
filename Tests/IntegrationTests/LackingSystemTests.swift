import FoundationEssentials
import TestSupport
import Testing

/// Machines that lack a part of a library, or refuse what a program asks for. A small library, which is preloaded, takes
/// the place of the functions that find it.
@Suite("Machines that lack something")
struct LackingSystemTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Runs a program of this build in the test's directory.
    /// - Parameters:
    ///   - code: functions in C that replace those of the system and of libraries.
    ///   - command: `spool` or `spool-render`, and its arguments.
    private func run(_ command: String, with code: String) async throws -> SpoolTool.Outcome {
        try Data(code.utf8).write(to: URL(fileURLWithPath: directory.file("lack.c")))
        let programs = URL(fileURLWithPath: SpoolTool.executable).deletingLastPathComponent().path
        return try await ShellTool.run(
            """
            cd '\(directory.path)' && cc -shared -fPIC -Wall -Werror lack.c -o lack.so -ldl || exit 99
            XDG_CACHE_HOME="$PWD" LD_PRELOAD="$PWD/lack.so" exec '\(programs)'/\(command)
            """)
    }

    /// Code for an FFmpeg that does not find a codec by the beginning of its name.
    private func without(_ name: String, _ kind: String) -> String {
        """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <string.h>
        const void *avcodec_find_\(kind)_by_name(const char *name) {
            const void *(*original)(const char *) = dlsym(RTLD_NEXT, "avcodec_find_\(kind)_by_name");
            return strncmp(name, "\(name)", strlen("\(name)")) == 0 ? NULL : original(name);
        }
        """
    }

    private func writeDraft(_ clip: String) throws {
        let draft = """
            {"version": 1, "videoSize": {"width": 64, "height": 48}, "frameRate": 25, "mainTrackClips": [\(clip)]}
            """
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
    }

    @Test("Without rlottie an animation is refused with the package to install")
    func rlottie() async throws {
        let text = #"{"v": "5", "fr": 25, "ip": 0, "op": 9, "w": 9, "h": 9, "layers": [{"ty": 3}]}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.file("a.json")))
        // The dynamic loader finds this file before the library of the system, and cannot load it.
        try Data().write(to: URL(fileURLWithPath: directory.file("librlottie.so.0-1")))
        let outcome = try await ShellTool.run(
            "cd '\(directory.path)' && XDG_CACHE_HOME=. LD_LIBRARY_PATH=. '\(SpoolTool.executable)' probe a.json")
        #expect(outcome.status == 69, "\(outcome.errors)")
        let words = "is a Lottie animation, and rlottie cannot be loaded; install Debian's package librlottie0-1 ("
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("Without a decoder that keeps transparency, a transparent WebM is refused with what to install")
    func decoder() async throws {
        try await FFmpegTool.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x48:d=0.2,format=yuva420p", "-c:v", "libvpx-vp9", "-auto-alt-ref", "0",
            directory.file("a.webm"),
        ])
        let outcome = try await run("spool probe a.webm", with: without("libvpx", "decoder"))
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "has transparency, which needs the decoder 'libvpx-vp9'; install an FFmpeg that was built with libvpx"),
            "\(outcome.errors)")
    }

    @Test("Without an encoder a picture is not drawn, and the encoder is named")
    func encoder() async throws {
        try writeDraft(#"{"type": "color", "duration": 1}"#)
        let outcome = try await run(
            "spool frame draft.json --time 0 -o frame.png --cache cache", with: without("png", "encoder"))
        #expect(outcome.status == 69, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "'png' is not among the encoders of the installed FFmpeg; install one that was built with it"),
            "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("frame.png")))
    }

    @Test("Statistics that lack their last pictures, as libx264 leaves them on a full disk, end the export")
    func statistics() async throws {
        // libx264 gives the file its name when it has written all of it.
        let code = """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <string.h>
            #include <sys/stat.h>
            #include <unistd.h>
            int rename(const char *from, const char *to) {
                int (*original)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
                const size_t length = strlen(from);
                struct stat status;
                const int is_text = length > 5 && !strcmp(from + length - 5, ".temp") && !strstr(from, ".mbtree");
                if (is_text && !stat(from, &status) && truncate(from, status.st_size - 300)) return -1;
                return original(from, to);
            }
            """
        try writeDraft(#"{"type": "color", "duration": 1}"#)
        let outcome = try await run(
            "spool export draft.json -o film.mp4 --set videoBitrate=100000 --set encoderSpeed=ultrafast --cache cache",
            with: code)
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(
            outcome.errors.contains(" of 25 pictures, as where the disk is full; free some space on it, and try again"),
            "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("film.mp4")))
    }

    @Test(
        "A process that the system refuses to start is an error with the remedy",
        arguments: [("spool guard --log log -- /bin/true", 75), ("spool-render sandbox", 1)])
    func fork(_ command: String, _ status: Int32) async throws {
        // Namespaces are granted, so that a process of a new one would begin.
        let code = """
            #include <errno.h>
            int unshare(int flags) { (void)flags; return 0; }
            int fork(void) { errno = EAGAIN; return -1; }
            """
        let outcome = try await run(command, with: code)
        #expect(outcome.status == status)
        let words = "cannot start a process: Resource temporarily unavailable; raise the limit on processes"
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test("A process that may not become another user does no work")
    func user() async throws {
        let code = """
            #include <errno.h>
            #include <stddef.h>
            int setgroups(size_t count, const unsigned *groups) { (void)count, (void)groups; errno = EPERM; return -1; }
            """
        let outcome = try await run("spool-render sandbox --user 65534:65533", with: code)
        #expect(outcome.status != 0 && outcome.output.isEmpty)
        let words = "cannot become user 65534 with group 65533: Operation not permitted; only root can"
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
}
