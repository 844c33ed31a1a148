import Synchronization
import Glibc

/// Seeds the C library's random numbers, which plug-ins use for noise, with the frame's time. The noise then changes
/// from frame to frame, and a frame looks the same whenever and wherever it is drawn. A process has only one random
/// state, so its plug-ins run one at a time.
enum RandomSeed {
    private static let turn = Mutex<Void>(())

    /// Runs a plug-in's code with random numbers that are seeded with a time in seconds.
    static func taken(at time: Double, by plugin: () -> Void) {
        turn.withLock { _ in
            begin(at: time)
            plugin()
        }
    }

    private static func begin(at time: Double) {
        // One step of SplitMix64 gives neighbouring times very different seeds.
        var bits = time.bitPattern &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        let seed = UInt32(truncatingIfNeeded: bits ^ (bits >> 31))
        srand(seed)
        srand48(Int(seed))
    }
}
