import ExportPlan
import Media
import TestSupport
import Testing
import Vocabulary

/// Filters of a sound by themselves. `AudioFilterTests` has what they do to a sound.
@Suite("Filters of a sound")
struct SoundFilterChainTests {
    /// A plug-in that passes a sound on, and says that it holds it back for 25 s at 48 000 Hz.
    private static let latePlugin = """
        #include <ladspa.h>
        #include <stdlib.h>
        typedef struct { LADSPA_Data *port[3]; } State;
        static LADSPA_Handle make(const LADSPA_Descriptor *d, unsigned long rate) {
            (void)d, (void)rate;
            return calloc(1, sizeof(State));
        }
        static void connect(LADSPA_Handle h, unsigned long port, LADSPA_Data *data) { ((State *)h)->port[port] = data; }
        static void run(LADSPA_Handle h, unsigned long count) {
            State *s = h;
            for (unsigned long i = 0; i < count; i++) s->port[1][i] = s->port[0][i];
            *s->port[2] = 1200000;
        }
        static const LADSPA_PortDescriptor ports[] = {LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO,
            LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO, LADSPA_PORT_OUTPUT | LADSPA_PORT_CONTROL};
        static const char *const names[] = {"In", "Out", "latency"};
        static const LADSPA_PortRangeHint hints[3] = {{0, 0, 0}};
        static const LADSPA_Descriptor plugin = {1, "late", LADSPA_PROPERTY_HARD_RT_CAPABLE, "Late", "Tester", "None", 3, ports,
            names, hints, 0, make, connect, 0, run, 0, 0, 0, free};
        const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) { return index == 0 ? &plugin : 0; }
        """

    @Test("A plug-in that holds a sound back for more than 10 s is refused and not waited for")
    func late() async throws {
        let directory = try TemporaryDirectory()
        let library = try await BuiltPlugins.library("late", SoundFilterChainTests.latePlugin, in: directory.path)
        let plugin = SoundPlugin(name: "ladspa/late/late", contentHash: "ab", channels: 1)
        let chain = try SoundFilterChain(
            [SoundFilter(kind: .ladspa, parameters: [:], plugin: plugin)], sampleRate: 48_000, channels: 1,
            libraries: ["ab": library])
        let second = [Float](repeating: 0.25, count: 48_000)
        var heard: [Float] = []
        let error = try #require(throws: MediaError.self) {
            for _ in 0..<20 {
                try second.withUnsafeBufferPointer { try chain.process($0, into: &heard) }
            }
        }
        #expect(error.code == .unusablePlugin && heard.isEmpty)
        #expect(error.message == "does not come out of its filters within 10 s; leave out the one that holds it back")
    }
}
