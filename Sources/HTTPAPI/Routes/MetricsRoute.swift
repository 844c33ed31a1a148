import Coordinator
import FarmAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Telemetry

/// The clients that may read `/metrics`.
package enum MetricsAccess: String, CaseIterable, Sendable {
    /// Tokens with the scope `admin`.
    case admin
    /// Tokens with the scope `read`, of any tenant. The numbers are the farm's, and no tenant is named.
    case read
    /// Everybody who reaches the port.
    case open
}

/// The farm's numbers for Prometheus (docs/observability.md).
struct MetricsRoute {
    static let path = "/metrics"

    let registry: MetricRegistry
    let observer: FarmObserver
    let access: MetricsAccess

    func add(to router: inout DescribedRouter) {
        let summary =
            "The farm's numbers for Prometheus, in its text format ([observability.md](observability.md)). The setting "
            + "`metricsAccess` says who may read them; while the database is away, a token that was accepted within the hour "
            + "before is accepted."
        let answers = [RouteAnswer(200, MetricRegistry.contentType, "lines of the text exposition format 0.0.4")]
        switch access {
        case .open:
            router.addOpen(RouteDescription(.get, MetricsRoute.path, "getMetrics", summary, scopes: [], answers: answers)) {
                _, _ in
                try await text()
            }
        case .admin, .read:
            router.add(
                RouteDescription(
                    .get, MetricsRoute.path, "getMetrics", summary, scopes: access == .admin ? [.admin] : [.read],
                    answers: answers)
            ) { _, _, _ in try await text() }
        }
    }

    private func text() async throws -> Response {
        let samples = await observer.samples() + ProcessSamples.now()
        return Response(
            status: .ok, headers: [.contentType: MetricRegistry.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: registry.text(with: samples))))
    }
}
