import ContentHashing
import ExportPlan
import FarmAPI
import Redis

/// The references to the sources of jobs. Tickets name them by their digests, and Redis has each of them once.
///
/// They may vanish at any moment, as everything in Redis: `send` stores those that Redis does not have, and a job whose
/// references are gone before its ticket is read goes back to the coordinator, whose next dispatch stores them again.
extension RedisJobQueue {
    /// How long Redis keeps a reference after the last dispatch of a job that reads the source. As a rule a ticket is
    /// read, or withdrawn, within a lease, which is far less. One that waits for longer, because all jobs before it last
    /// for hours, costs its job another dispatch and no attempt.
    static let sourceLifetime = Duration.seconds(3600)

    // MARK: Coordinator

    /// Lets Redis keep references from now on for another `sourceLifetime`.
    /// - Returns: commands that store the references that Redis does not have.
    func keep(_ sources: SentSources) async throws -> [RedisCommand] {
        let requests: [RedisRequest<Bool>] = sources.all.map {
            RedisRequest.expire(RedisNames.source($0.digest), in: RedisJobQueue.sourceLifetime)
        }
        let answers = try await redis.pipeline(requests.map(\.command))
        var commands: [RedisCommand] = []
        for (source, (request, answer)) in zip(sources.all, zip(requests, answers)) {
            let isThere = try request.read(try answer.get())
            guard !isThere else { continue }
            let bytes = try source.encoded()
            let set = RedisRequest.set(RedisNames.source(source.digest), bytes, expiresIn: RedisJobQueue.sourceLifetime)
            commands.append(set.command)
        }
        return commands
    }

    // MARK: Worker

    /// A ticket that was read, and the digests of the references that it lacks.
    struct TakenTicket: Sendable {
        var delivery: JobDelivery
        var sources: [String]
    }

    /// Gives tickets the references that they lack. A job whose references are not all in Redis goes back to the
    /// coordinator, which counts as no attempt. One with a reference in another version's format is refused, because
    /// sending it again would not help.
    /// - Returns: the tickets that are complete, in order.
    func complete(_ taken: [TakenTicket], _ worker: String) async throws -> [JobDelivery] {
        let stored = try await storedReferences(Set(taken.flatMap(\.sources)))
        var deliveries: [JobDelivery] = []
        for ticket in taken {
            var delivery = ticket.delivery
            let references = ticket.sources.compactMap { stored.readable[$0] }
            if references.count < ticket.sources.count {
                let outcome: JobReport.Outcome =
                    stored.foreign.isDisjoint(with: ticket.sources)
                    ? .returned : .failed(failure: RedisJobQueue.unreadableTicket(worker))
                try await report(JobReport(delivery.ticket.identity, worker: worker, outcome), finishing: delivery)
                continue
            }
            if !references.isEmpty { delivery.ticket.work = delivery.ticket.work.with(sources: references) }
            deliveries.append(delivery)
        }
        return deliveries
    }

    /// What could be found out about references, by their digests.
    private struct StoredReferences {
        var readable: [String: SourceReference] = [:]
        /// The ones that Redis has as they were sent, in the format of another version.
        var foreign: Set<String> = []
    }

    /// Looks for references, first in memory and then in Redis. One that is not there, or cannot be read, is reported
    /// once for as long as that is so.
    private func storedReferences(_ digests: Set<String>) async throws -> StoredReferences {
        var found = StoredReferences()
        var wanted: [String] = []
        for digest in digests.sorted() {
            if let reference = receivedSources.value(of: digest) {
                found.readable[digest] = reference
            } else {
                wanted.append(digest)
            }
        }
        guard !wanted.isEmpty else { return found }
        let values = try await redis.send(.mget(wanted.map { RedisNames.source($0) }))
        var spoiled: [String] = []
        for (digest, value) in zip(wanted, values) {
            let bytes = value ?? []
            if value == nil || ContentHash.of(bytes) != digest {
                if value != nil { spoiled.append(RedisNames.source(digest)) }
                noteUnreadable(digest, bytes)
                continue
            }
            do {
                let reference = try RedisJobQueue.decode(SourceReference.self, bytes)
                receivedSources.add(reference, as: digest, byteCount: bytes.count)
                unreadableSources.remove(digest)
                found.readable[digest] = reference
            } catch {
                found.foreign.insert(digest)
                noteUnreadable(digest, bytes)
            }
        }
        // The next dispatch would take them for the references that were sent.
        if !spoiled.isEmpty { _ = try await redis.send(.del(spoiled)) }
        return found
    }

    private func noteUnreadable(_ digest: String, _ bytes: [UInt8]) {
        guard unreadableSources.insert(digest).inserted else { return }
        passOver(UnreadableEntry(place: RedisNames.source(digest), bytes: bytes))
    }
}
