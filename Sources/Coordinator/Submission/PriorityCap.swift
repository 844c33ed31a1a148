import FarmAPI

/// What a tenant's cap means for the priorities of its exports. Both stores ask it, in the transaction that accepts an
/// export or changes the cap.
///
/// The scheduler takes every export above its tenant's cap for urgent. So an export gets there only by an operator's
/// priority: not by a submission of the tenant, and not by a new cap that is lower than the priority of an export that
/// waits. A lower cap therefore lowers the priorities between the new and the former cap. A priority above the former cap
/// is the operator's, and stays.
struct PriorityCap {
    /// The tenant's name.
    let tenant: String
    let cap: Int

    /// The states of exports whose priority still matters. An operator may retry a failed export.
    static let openStates = ExportState.allCases.filter { !$0.isTerminal || $0 == .failed }

    /// The priority of an export whose client asks for none.
    var unasked: Int { min(0, cap) }

    /// Checks the priority that a client asks for; nil where it asks for none.
    /// - Throws: `FarmError` `forbidden` when it is above the cap and the client is no operator.
    func check(_ priority: Int?, mayExceedCap: Bool) throws {
        guard let priority, priority > cap, !mayExceedCap else { return }
        throw FarmError(
            .forbidden,
            "the priority \(priority) is above \(cap), the cap of the tenant '\(tenant)'; give a priority of at most \(cap), "
                + "or ask an operator, whose token has the scope admin")
    }
}
