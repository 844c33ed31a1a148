import ExportPlan
package import FarmAPI
package import FoundationEssentials

/// A delivery with what it says, in memory.
struct DeliveryRow {
    var delivery: WebhookDelivery
    var content: WebhookMessage.Content
    var queuedAt: Date
    /// The step of `export.progress`, in percent.
    var progress: Int?
}

/// The deliveries of webhooks, in memory.
extension MemoryFarmStore: WebhookStore {
    package func testWebhook(_ id: Int64, tenant: Int64?) throws -> WebhookDelivery? {
        guard let webhook = webhook(id, tenant: tenant) else { return nil }
        guard webhook.isEnabled else { throw FarmError.webhookIsDisabled(id) }
        return add(.test, to: id, nil, WebhookMessage.Content(webhook: id), at: clock())
    }

    package func deliveries(
        of webhook: Int64, state: WebhookDeliveryState?, before delivery: Int64?, limit: Int
    ) -> [WebhookDelivery] {
        let found = deliveryRows.map(\.delivery).filter {
            $0.webhook == webhook && (state == nil || $0.state == state) && $0.id < delivery ?? .max
        }
        return Array(found.reversed().prefix(limit))
    }

    package func redeliver(_ delivery: Int64, of webhook: Int64) throws -> WebhookDelivery? {
        guard let owner = self.webhook(webhook, tenant: nil),
            let place = deliveryRows.firstIndex(where: { $0.delivery.id == delivery && $0.delivery.webhook == webhook })
        else { return nil }
        guard owner.isEnabled else { throw FarmError.webhookIsDisabled(webhook) }
        let now = clock()
        deliveryRows[place].queuedAt = now
        deliveryRows[place].delivery.state = .pending
        deliveryRows[place].delivery.attempts = 0
        deliveryRows[place].delivery.dueAt = now
        deliveryRows[place].delivery.endedAt = nil
        return deliveryRows[place].delivery
    }

    // MARK: The leader

    package func dueDeliveries(
        at now: Date, perWebhook: Int, underWay: [Int64: Int64], limit: Int
    ) throws -> [OutgoingDelivery] {
        var due: [(row: DeliveryRow, webhook: WebhookRow)] = []
        for webhook in webhookRows where webhook.webhook.isEnabled {
            let busy = underWay.values.count { $0 == webhook.webhook.id }
            let room = (webhook.webhook.failingSince == nil ? perWebhook : 1) - busy
            let own = pendingRows(of: webhook.webhook.id)
            let first = own.filter { row in
                underWay[row.delivery.id] == nil && (row.delivery.dueAt ?? now) <= now
                    && !own.contains {
                        $0.delivery.export == row.delivery.export && row.delivery.export != nil
                            && $0.delivery.id < row.delivery.id
                    }
            }.sorted { ($0.delivery.dueAt ?? now, $0.delivery.id) < ($1.delivery.dueAt ?? now, $1.delivery.id) }
            due += first.prefix(max(0, room)).map { ($0, webhook) }
        }
        func order(_ item: (row: DeliveryRow, webhook: WebhookRow)) -> (Int, Date, Int64) {
            (item.webhook.webhook.failingSince == nil ? 0 : 1, item.row.delivery.dueAt ?? now, item.row.delivery.id)
        }
        return try due.sorted { order($0) < order($1) }.prefix(limit).map { try outgoing($0.row, $0.webhook, at: now) }
    }

    package func nextDelivery(after now: Date) -> Date? {
        webhookRows.filter(\.webhook.isEnabled).flatMap { pendingRows(of: $0.webhook.id) }
            .compactMap(\.delivery.dueAt).filter { $0 > now }.min()
    }

    package func record(_ attempt: WebhookAttempt, at delivery: OutgoingDelivery, _ outcome: WebhookOutcome) {
        guard let place = deliveryRows.firstIndex(where: { $0.delivery.id == delivery.id }),
            deliveryRows[place].delivery.state == .pending
        else { return }
        var record = deliveryRows[place].delivery
        record.attempts += 1
        record.attemptedAt = attempt.at
        record.status = attempt.status
        record.message = attempt.message
        if case .retry(let due) = outcome {
            record.dueAt = due
            postpone(after: record, until: due)
        } else {
            record.state = outcome == .delivered ? .delivered : .failed
            record.dueAt = nil
            record.endedAt = attempt.at
        }
        deliveryRows[place].delivery = record
        guard let webhook = self.place(ofWebhook: delivery.webhook, nil) else { return }
        switch outcome {
        case .delivered: webhookRows[webhook].webhook.failingSince = nil
        case .retry, .failed:
            guard delivery.event != .test else { return }
            webhookRows[webhook].webhook.failingSince = webhookRows[webhook].webhook.failingSince ?? attempt.at
        case .disable(let reason): disable(webhook, reason, at: attempt.at)
        }
    }

    package func addProgress(since: Date, at now: Date, underWay: [Int64: Int64]) -> Int {
        var added = 0
        for webhook in webhookRows.map(\.webhook) where webhook.isEnabled && webhook.events.contains(.progress) {
            for row in exportRows where row.export.tenant == webhook.tenant && row.export.state == .rendering {
                guard let total = row.export.frameCount, total > 0,
                    row.jobs.contains(where: { jobRows[$0].finishedAt.map { $0 >= since } ?? false })
                else { continue }
                let done = row.jobs.filter { jobRows[$0].new.kind == .video && jobRows[$0].lifecycle.state == .done }
                    .reduce(0) { $0 + jobRows[$1].new.frameCount }
                let step = done * 100 / total / webhook.progressStep * webhook.progressStep
                let id = row.export.id
                let own = deliveryRows.filter { $0.delivery.webhook == webhook.id && $0.delivery.export == id }
                guard step > 0, step < 100, step > own.compactMap(\.progress).max() ?? 0 else { continue }
                add(.progress, to: webhook.id, id, content(of: row.export, progress: step), progress: step, at: now)
                deliveryRows.removeAll { old in
                    old.delivery.webhook == webhook.id && old.delivery.export == id && old.delivery.state == .pending
                        && underWay[old.delivery.id] == nil && old.progress.map { $0 < step } ?? false
                }
                added += 1
            }
        }
        return added
    }

    /// Adds the deliveries about an event of an export.
    /// - Parameter publication: what became of its film, where the event is about that.
    func addDeliveries(of event: WebhookEvent, about export: Export, _ publication: Publication? = nil, at now: Date) {
        var content = content(of: export)
        content.publication = publication
        for webhook in webhooks(tenant: export.tenant) where webhook.isEnabled && webhook.events.contains(event) {
            add(event, to: webhook.id, export.id, content, at: now)
        }
    }

    func addDeliveries(aboutEndOf batch: Batch) {
        let content = WebhookMessage.Content(batch: WebhookMessage.EndedBatch(batch))
        for webhook in webhooks(tenant: batch.tenant) where webhook.isEnabled && webhook.events.contains(.batchEnded) {
            add(.batchEnded, to: webhook.id, nil, content, at: batch.endedAt ?? clock())
        }
    }

    // MARK: Rows

    @discardableResult
    private func add(
        _ event: WebhookEvent, to webhook: Int64, _ export: ExportID?, _ content: WebhookMessage.Content, progress: Int? = nil,
        at now: Date
    ) -> WebhookDelivery {
        lastDelivery += 1
        let earlier = pendingRows(of: webhook).filter { $0.delivery.export == export && export != nil }.compactMap(
            \.delivery.dueAt)
        let delivery = WebhookDelivery(
            id: lastDelivery, webhook: webhook, event: event, export: export, messageID: "msg_\(lastDelivery)", state: .pending,
            createdAt: now, dueAt: (earlier + [now]).max())
        deliveryRows.append(DeliveryRow(delivery: delivery, content: content, queuedAt: now, progress: progress))
        return delivery
    }

    private func pendingRows(of webhook: Int64) -> [DeliveryRow] {
        deliveryRows.filter { $0.delivery.webhook == webhook && $0.delivery.state == .pending }
    }

    /// Later deliveries about an export wait for an earlier one.
    private func postpone(after delivery: WebhookDelivery, until due: Date) {
        guard let export = delivery.export else { return }
        for place in deliveryRows.indices {
            let other = deliveryRows[place].delivery
            guard other.webhook == delivery.webhook, other.export == export, other.id > delivery.id, let own = other.dueAt else {
                continue
            }
            deliveryRows[place].delivery.dueAt = max(own, due)
        }
    }

    private func content(of export: Export, progress: Int? = nil) -> WebhookMessage.Content {
        WebhookMessage.Content(
            export: WebhookMessage.Subject(
                id: export.id, number: export.number, label: export.label, state: export.state, createdAt: export.createdAt,
                finishedAt: export.finishedAt, frameCount: export.frameCount, progress: progress,
                failure: export.failure.map(WebhookMessage.Failure.init)))
    }

    private func outgoing(_ row: DeliveryRow, _ owner: WebhookRow, at now: Date) throws -> OutgoingDelivery {
        let (delivery, webhook) = (row.delivery, owner.webhook)
        let isFormerValid = webhook.formerSecretUntil.map { $0 > now } ?? false
        return OutgoingDelivery(
            id: delivery.id, webhook: webhook.id, export: delivery.export, event: delivery.event, messageID: delivery.messageID,
            content: String(decoding: try JSONEncoder().encode(row.content), as: UTF8.self), attempts: delivery.attempts,
            createdAt: delivery.createdAt, queuedAt: row.queuedAt, address: webhook.address, secret: owner.secret,
            formerSecret: isFormerValid ? owner.formerSecret : nil, failingSince: webhook.failingSince)
    }
}
