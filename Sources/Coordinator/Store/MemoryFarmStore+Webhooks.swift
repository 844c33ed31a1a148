package import FarmAPI
package import FoundationEssentials

/// A webhook with its secrets, in memory.
struct WebhookRow {
    var webhook: Webhook
    var secret: String
    /// Valid until `webhook.formerSecretUntil`.
    var formerSecret: String?
}

/// Webhooks, in memory. Their deliveries are in `MemoryFarmStore+Deliveries.swift`.
extension MemoryFarmStore {
    package func createWebhook(_ wanted: NewWebhook, secret: String, tenant: Int64) throws -> Webhook {
        guard tenantExists(tenant) else { throw FarmError(.notFound, "there is no tenant \(tenant)") }
        guard webhooks(tenant: tenant).count < Webhook.mostPerTenant else { throw FarmError.tooManyWebhooks }
        lastWebhook += 1
        let webhook = Webhook(
            id: lastWebhook, tenant: tenant, address: wanted.address, label: wanted.label ?? "",
            events: wanted.events ?? WebhookEvent.usual, progressStep: wanted.progressStep ?? Webhook.usualProgressStep,
            createdAt: clock())
        webhookRows.append(WebhookRow(webhook: webhook, secret: secret))
        return webhook
    }

    package func webhooks(tenant: Int64?) -> [Webhook] {
        webhookRows.map(\.webhook).filter { tenant == nil || $0.tenant == tenant }
    }

    package func webhook(_ id: Int64, tenant: Int64?) -> Webhook? { webhooks(tenant: tenant).first { $0.id == id } }

    package func changeWebhook(_ id: Int64, _ change: WebhookChange, tenant: Int64?) -> Webhook? {
        guard let place = place(ofWebhook: id, tenant) else { return nil }
        var webhook = webhookRows[place].webhook
        webhook.address = change.address ?? webhook.address
        webhook.label = change.label ?? webhook.label
        webhook.events = change.events ?? webhook.events
        webhook.progressStep = change.progressStep ?? webhook.progressStep
        if change.isEnabled == true {
            (webhook.disabledAt, webhook.disabledReason, webhook.failingSince) = (nil, nil, nil)
        }
        webhookRows[place].webhook = webhook
        if change.isEnabled == false { disable(place, WebhookReason.disabledByClient, at: clock()) }
        return webhookRows[place].webhook
    }

    package func removeWebhook(_ id: Int64, tenant: Int64?) -> Bool {
        guard let place = place(ofWebhook: id, tenant) else { return false }
        webhookRows.remove(at: place)
        return true
    }

    package func rotateSecret(of id: Int64, to secret: String, overlap: TimeInterval, tenant: Int64?) -> Webhook? {
        guard let place = place(ofWebhook: id, tenant) else { return nil }
        webhookRows[place].formerSecret = overlap > 0 ? webhookRows[place].secret : nil
        webhookRows[place].webhook.formerSecretUntil = overlap > 0 ? clock() + overlap : nil
        webhookRows[place].secret = secret
        return webhookRows[place].webhook
    }

    func place(ofWebhook id: Int64, _ tenant: Int64?) -> Int? {
        webhookRows.firstIndex { $0.webhook.id == id && (tenant == nil || $0.webhook.tenant == tenant) }
    }

    /// Ends the pending deliveries of a webhook, which gets no more. One that is disabled keeps its reason.
    func disable(_ place: Int, _ reason: String, at now: Date) {
        if webhookRows[place].webhook.isEnabled {
            webhookRows[place].webhook.disabledAt = now
            webhookRows[place].webhook.disabledReason = reason
        }
        for row in deliveryRows.indices
        where deliveryRows[row].delivery.webhook == webhookRows[place].webhook.id && deliveryRows[row].delivery.state == .pending
        {
            deliveryRows[row].delivery.state = .failed
            deliveryRows[row].delivery.dueAt = nil
            deliveryRows[row].delivery.endedAt = now
            deliveryRows[row].delivery.message = WebhookReason.notSent(reason)
        }
    }
}
