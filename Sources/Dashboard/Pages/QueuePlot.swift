import FarmAPI
import Vocabulary

/// The last hour of a queue as small bars, one a minute: jobs that were done upwards, attempts that failed downwards.
struct QueuePlot {
    let history: QueueHistory

    private static let height = 40
    private static let below = 12

    var html: HTML {
        let (done, wrong) = (history.finished.reduce(0, +), history.errors.reduce(0, +))
        let most = max(1, history.finished.max() ?? 0)
        let worst = max(1, history.errors.max() ?? 0)
        let words =
            "Jobs done in each minute of the last hour: \(done) in all, at most \(history.finished.max() ?? 0) in a minute. "
            + "Attempts that failed: \(wrong)."
        return """
            <figure class="plot">
            <svg viewBox="0 0 240 \(QueuePlot.height + QueuePlot.below)" role="img" aria-label="\(words)" preserveAspectRatio="none">
            <path class="axis" d="M0 \(QueuePlot.height)h240"/>
            \(bars(history.finished, most, "done"))\(bars(history.errors, worst, "errors"))
            </svg>
            <figcaption><span>60 min ago</span><span>\(Phrase.count(done)) done, \(Phrase.count(wrong)) failed</span><span>now</span>
            </figcaption></figure>
            """
    }

    private func bars(_ numbers: [Int], _ most: Int, _ name: String) -> HTML {
        let isUp = name == "done"
        let longest = isUp ? QueuePlot.height - 2 : QueuePlot.below - 2
        let bars = numbers.enumerated().filter { $1 > 0 }.map { minute, number -> HTML in
            // A minute with one job among thousands is still seen.
            let length = max(2, number * longest / most)
            return
                "<rect x=\"\(minute * 4)\" y=\"\(isUp ? QueuePlot.height - length : QueuePlot.height + 1)\" width=\"3\" height=\"\(length)\"/>"
        }
        return "<g class=\"\(name)\">\(bars)</g>"
    }
}
