import CPostgres

/// A statement of a pipeline, bound to its parameters.
private struct PipelinedStatement {
    var text: String
    var parameters: LibpqParameters
    /// Its key among the prepared statements, and its name there.
    var key: PreparedStatements.Key
    var name: String
    /// Whether the server prepares it within this pipeline.
    var isNew: Bool
}

extension PostgresConnection {
    package func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult] {
        try await pipeline(statements, in: nil)
    }

    func pipeline(_ statements: [PostgresStatement], in number: Int?) async throws -> [PostgresResult] {
        guard let first = statements.first else { return [] }
        return try await interruptibly { interruption in
            try rememberingFailure {
                let session = try usableSession(for: first.text, in: number)
                if let observer { for statement in statements { observer(statement) } }
                do {
                    return try run(try bound(statements), session, interruption, lasts: number == nil)
                } catch let error as PostgresError where error.isOfStalePlan && session.transactionStatus == PQTRANS_IDLE {
                    // The failed pipeline has done nothing. Its statements are forgotten, so they are prepared again.
                    return try run(try bound(statements), session, interruption, lasts: number == nil)
                }
            }
        }
    }

    private func bound(_ statements: [PostgresStatement]) throws -> [PipelinedStatement] {
        var new: [PreparedStatements.Key: String] = [:]
        return try statements.map { statement in
            guard !statement.text.utf8.contains(0) else {
                throw PostgresError(.misuse, "the statement has a zero byte", statement: statement.text)
            }
            let parameters = try LibpqParameters(statement.parameters, statement: statement.text)
            let key = PreparedStatements.Key(statement: statement.text, types: parameters.types)
            let known = prepared.name(of: key) ?? new[key]
            let name = known ?? prepared.newName()
            if known == nil { new[key] = name }
            return PipelinedStatement(
                text: statement.text, parameters: parameters, key: key, name: name, isNew: known == nil)
        }
    }

    private func run(
        _ statements: [PipelinedStatement], _ session: LibpqSession, _ interruption: Interruption, lasts: Bool
    ) throws -> [PostgresResult] {
        try send(statements, session)
        var results: [PostgresResult] = []
        var refusal: PostgresError?
        var leaving: [String] = []
        for (index, statement) in statements.enumerated() {
            // What the server has prepared stays so, also where a later statement fails.
            var wasPrepared = true
            if statement.isNew {
                while !session.isBroken, let result = try nextResult(session, statement.text, interruption) {
                    wasPrepared = result.status == PGRES_COMMAND_OK
                    if result.isError { refusal = refusal ?? result.error(statement: statement.text, index: index) }
                }
                if wasPrepared, let name = prepared.add(statement.key, name: statement.name) { leaving.append(name) }
            }
            while !session.isBroken, let result = try nextResult(session, statement.text, interruption) {
                if result.isError {
                    refusal = refusal ?? result.error(statement: statement.text, index: index)
                } else if refusal == nil {
                    results.append(result.contents(statement: statement.text))
                }
            }
        }
        // At the sync point the server has committed. Deferred constraints fail only here, with a result of their own.
        let last = statements[statements.count - 1].text
        var isSynced = false
        while !session.isBroken, !isSynced {
            guard let result = try nextResult(session, last, interruption) else { continue }
            isSynced = result.status == PGRES_PIPELINE_SYNC
            if result.isError { refusal = refusal ?? result.error(statement: last, index: statements.count - 1) }
        }
        if session.isBroken { throw broken(refusal, refusal?.statement ?? statements[0].text, lasts: lasts) }
        guard PQexitPipelineMode(session.pointer) == 1 else {
            defer { drop() }
            throw PostgresError(.server, "libpq did not end the pipeline: \(session.message)", statement: last)
        }
        // What came of the statements is certain now, so an error of forgetting others must not hide it.
        deallocate(leaving, session, interruption)
        if let refusal {
            if refusal.isOfStalePlan { for statement in statements { prepared.remove(statement.key) } }
            throw meaning(of: refusal, interruption)
        }
        return results
    }

    /// Makes the server forget prepared statements. Where that fails, the session ends, and the server forgets them with it.
    private func deallocate(_ names: [String], _ session: LibpqSession, _ interruption: Interruption) {
        // In a transaction that has failed the server takes no statement but its end. The few names stay then.
        guard session.transactionStatus != PQTRANS_INERROR else { return }
        do {
            for name in names { try deallocate(name, session, interruption) }
        } catch {
            drop()
        }
    }

    /// Sends the statements of a pipeline, and those that the server has to prepare before them.
    private func send(_ statements: [PipelinedStatement], _ session: LibpqSession) throws {
        PQenterPipelineMode(session.pointer)
        do {
            for statement in statements {
                if statement.isNew {
                    try sent(
                        session.send(prepare: statement.text, as: statement.name, types: statement.key.types), session,
                        statement.text)
                }
                try sent(session.send(prepared: statement.name, statement.parameters), session, statement.text)
            }
            try sent(PQpipelineSync(session.pointer) == 1, session, statements[0].text)
        } catch {
            drop()  // half a pipeline cannot be taken back
            throw error
        }
    }
}

extension PostgresError {
    /// Whether a prepared statement was the cause: a table has changed its columns since it was prepared, or a caller
    /// discarded the prepared statements (`DISCARD`).
    var isOfStalePlan: Bool { sqlState == "0A000" || sqlState == "26000" }
}
