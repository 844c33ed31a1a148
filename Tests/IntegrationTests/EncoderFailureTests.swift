import ExactTime
import FoundationEssentials
import TestSupport
import Testing

/// The encoder refuses a picture while others are composed ahead of it.
@Suite struct EncoderFailureTests {
    /// Replaces libavcodec's function: video encoders have no memory from the third picture on.
    private static let refusal = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <libavcodec/avcodec.h>

        int avcodec_send_frame(AVCodecContext *context, const AVFrame *frame) {
            static int count;
            static int (*original)(AVCodecContext *, const AVFrame *);
            if (!original) original = dlsym(RTLD_NEXT, "avcodec_send_frame");
            if (context->codec_type == AVMEDIA_TYPE_VIDEO && ++count > 2) return AVERROR(ENOMEM);
            return original(context, frame);
        }
        """

    @Test("An encoder that fails in the middle of a segment ends the export with its reason, and no process dies")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        _ = try SourceClips.numbered("a.mp4", in: directory, rate: FrameRate(25), frames: 50)
        let draft = #"{"version": 1, "mainTrackClips": [{"type": "av", "url": "a.mp4"}]}"#
        try Data(draft.utf8).write(to: URL(fileURLWithPath: directory.file("draft.json")))
        try Data(Self.refusal.utf8).write(to: URL(fileURLWithPath: directory.file("refusal.c")))
        let outcome = try await ShellTool.run(
            """
            cd '\(directory.path)' && cc -shared -fPIC refusal.c -o refusal.so || exit 1
            LD_PRELOAD="$PWD/refusal.so" '\(SpoolTool.executable)' export draft.json -o film.mp4 --cache cache
            status=$?
            ls cache/tmp film.mp4 2> /dev/null
            exit $status
            """)
        #expect(outcome.status == 75, "\(outcome.errors)")
        #expect(outcome.errors.contains("'libx264' refused a frame: Cannot allocate memory"), "\(outcome.errors)")
        #expect(outcome.output == "cache/tmp:\n", "nothing is left")
    }
}
