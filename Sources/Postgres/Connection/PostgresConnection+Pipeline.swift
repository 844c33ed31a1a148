import CPostgres

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
                let bound = try statements.map { statement in
                    guard !statement.text.utf8.contains(0) else {
                        throw PostgresError(.misuse, "the statement has a zero byte", statement: statement.text)
                    }
                    return (statement.text, try LibpqParameters(statement.parameters, statement: statement.text))
                }
                return try run(bound, session, interruption, lasts: number == nil)
            }
        }
    }

    private func run(
        _ statements: [(text: String, parameters: LibpqParameters)], _ session: LibpqSession, _ interruption: Interruption,
        lasts: Bool
    ) throws -> [PostgresResult] {
        PQenterPipelineMode(session.pointer)
        do {
            for (text, parameters) in statements { try sent(session.send(text, parameters), session, text) }
            try sent(PQpipelineSync(session.pointer) == 1, session, statements[0].text)
        } catch {
            drop()  // half a pipeline cannot be taken back
            throw error
        }
        var results: [PostgresResult] = []
        var refusal: PostgresError?
        for (index, (text, _)) in statements.enumerated() {
            while !session.isBroken, let result = try nextResult(session, text, interruption) {
                if result.isError {
                    refusal = refusal ?? result.error(statement: text, index: index)
                } else if refusal == nil {
                    results.append(result.contents(statement: text))
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
        if let refusal { throw meaning(of: refusal, interruption) }
        return results
    }
}
