import Glibc

/// How busy the machine of a worker is, with all that runs on it.
enum MachineLoad {
    /// How many processes ran or waited for a processor or a disk, on average over the last minute (getloadavg(3)); nil where
    /// the system does not say.
    static var now: Double? {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : nil
    }
}
