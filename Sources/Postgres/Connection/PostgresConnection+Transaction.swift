import CPostgres

/// The statements around a transaction. The statements that end it ignore cancellation, so that a cancelled task, too,
/// leaves its connection in order.
extension PostgresConnection {
    /// - Parameter opening: a statement without parameters that is sent with the `BEGIN`, in the same round trip; where
    ///   it fails, there is no transaction.
    func begin(_ isolation: PostgresIsolation, opening: String? = nil) async throws -> PostgresTransaction {
        let statement = "BEGIN ISOLATION LEVEL \(isolation.rawValue)" + (opening.map { "; \($0)" } ?? "")
        return try await interruptibly { interruption in
            let session = try usableSession(for: statement, in: nil)
            try sent(session.send(script: statement), session, statement)
            do {
                try answer(session, statement, interruption, lasts: false)
            } catch {
                if session.transactionStatus != PQTRANS_IDLE { drop() }
                throw error
            }
            transactionsBegun += 1
            transaction = OpenTransaction(number: transactionsBegun)
            return PostgresTransaction(connection: self, number: transactionsBegun)
        }
    }

    /// - Throws: the error of a statement after which the server commits nothing, where there was one.
    func commit(_ number: Int) throws {
        try refuseIfFailed()
        try control("COMMIT", in: number, lasts: true)
        transaction = nil
        noteHealth()
    }

    /// Rolls back a transaction that is still open. Where that fails, the connection is dropped, which rolls back as
    /// well.
    func rollBack(_ number: Int) {
        guard transaction?.number == number else { return }
        if session != nil {
            do { try control("ROLLBACK", in: number) } catch { drop() }
        }
        transaction = nil
        noteHealth()
    }

    func release(savepoint name: String, in number: Int) throws {
        try refuseIfFailed()
        try control("RELEASE SAVEPOINT \(name)", in: number)
    }

    func rollBack(toSavepoint name: String, in number: Int) throws {
        try control("ROLLBACK TO SAVEPOINT \(name)", in: number)
        try control("RELEASE SAVEPOINT \(name)", in: number)
        transaction?.failure = nil
    }

    /// Rolls back a transaction that a caller began with a `BEGIN` of its own and left open.
    func recover() {
        guard session != nil else { return }
        do { try control("ROLLBACK", in: nil) } catch { drop() }
        noteHealth()
    }

    /// Throws where the transaction has failed: the server would answer its COMMIT with a rollback that looks like
    /// success.
    private func refuseIfFailed() throws {
        guard session?.transactionStatus == PQTRANS_INERROR else { return }
        throw transaction?.failure
            ?? PostgresError(.server, "the transaction has failed, and nothing of it can be committed", sqlState: "25P02")
    }

    private func control(_ statement: String, in number: Int?, lasts: Bool = false) throws {
        let session = try usableSession(for: statement, in: number)
        try sent(session.send(script: statement), session, statement)
        try answer(session, statement, nil, lasts: lasts)
    }
}
