import FoundationEssentials

/// A request with a key, in memory.
struct KeyedAnswerRow {
    var hash: String
    var beganAt: Date
    /// nil while the request is under way.
    var answer: KeyedAnswer?
}

/// Answers to requests with keys, in memory.
extension MemoryFarmStore: KeyedAnswerStore {
    package func beginRequest(_ key: String, hash: String, tenant: Int64) -> KeyedRequest {
        let now = clock()
        if let row = keyedAnswerRows[tenant]?[key], now < row.beganAt + KeyedAnswers.lifetime {
            guard row.hash == hash else { return .ofAnotherRequest }
            if let answer = row.answer { return .answered(answer) }
            if now < row.beganAt + KeyedAnswers.timeout { return .underWay }
        }
        keyedAnswerRows[tenant, default: [:]][key] = KeyedAnswerRow(hash: hash, beganAt: now)
        return .new
    }

    package func endRequest(_ key: String, tenant: Int64, _ answer: KeyedAnswer?) {
        guard let row = keyedAnswerRows[tenant]?[key], row.answer == nil else { return }
        if let answer {
            keyedAnswerRows[tenant]?[key]?.answer = answer
        } else {
            keyedAnswerRows[tenant]?[key] = nil
        }
    }
}
