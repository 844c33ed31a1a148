/// Records the decisions about one thing, such as a layer, while it is made for the first time.
///
/// Code that makes pictures holds an optional log, which is nil while a film is rendered: then
/// `log?.note(...)` evaluates nothing.
package final class DecisionLog {
    private let subject: Explanation.Subject
    private var decisions: [Explanation.Decision] = []
    private var parts: [DecisionLog] = []

    package init(_ subject: Explanation.Subject) {
        self.subject = subject
    }

    /// Records a decision. A decision that is repeated counts once.
    package func note(_ decision: Explanation.Decision) {
        if !decisions.contains(decision) { decisions.append(decision) }
    }

    /// Begins the log of something that the subject is made of. Call it in the order of `Explanation.parts`.
    package func part(_ subject: Explanation.Subject) -> DecisionLog {
        let part = DecisionLog(subject)
        parts.append(part)
        return part
    }

    /// What was recorded so far. Parts about which nothing was decided were not made, and are left out.
    package var explanation: Explanation {
        Explanation(subject, decisions: decisions, parts: parts.filter { !$0.decisions.isEmpty }.map(\.explanation))
    }
}
