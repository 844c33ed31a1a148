import Dispatch

/// A pause that lasts its time in a cancelled task, too, where `Task.sleep` returns at once.
enum UncancelledPause {
    static func take(milliseconds: Int) async {
        await withCheckedContinuation { woken in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { woken.resume() }
        }
    }
}
