import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The C library's random numbers, which plug-ins take for noise: made to follow from a frame's time, so that the noise moves
/// and a frame looks the same whenever and wherever it is drawn. A process has one state of them, so its plug-ins take turns.
enum Chance {
    private static let turn = Mutex<Void>(())

    /// Runs some of a plug-in's code with the random numbers of a time.
    static func taken(at time: Double, by plugin: () -> Void) {
        turn.withLock { _ in
            begin(at: time)
            plugin()
        }
    }

    private static func begin(at time: Double) {
        // A step of SplitMix64: neighbouring times are far apart.
        var bits = time.bitPattern &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        let seed = UInt32(truncatingIfNeeded: bits ^ (bits >> 31))
        srand(seed)
        srand48(Int(seed))
    }
}
