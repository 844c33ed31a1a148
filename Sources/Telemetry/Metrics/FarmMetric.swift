/// Every metric of a farm. The list is closed: what is not in it is not kept, so that no part of the program, and no
/// library, can add series that nobody expects. `docs/observability.md`, the alert rules and the dashboard name these.
///
/// No label has a value that a client can choose: they are kinds, roles, states, failure classes, routes as they are
/// described, and pools that workers serve.
package enum FarmMetric: String, CaseIterable, Sendable {
    // What the leader counts while it works.
    case queueWait = "spool_queue_wait_seconds"
    case jobTime = "spool_job_seconds"
    case jobCost = "spool_job_cost_seconds_total"
    case attempts = "spool_attempts_total"
    case retries = "spool_retries_total"
    case failedJobs = "spool_jobs_failed_total"
    case expiredLeases = "spool_leases_expired_total"
    case renderedJobs = "spool_jobs_rendered_total"
    case reusedJobs = "spool_jobs_reused_total"
    case storedBytes = "spool_store_written_bytes_total"
    case endedExports = "spool_exports_ended_total"
    // What every coordinator counts.
    case requests = "spool_http_requests_total"
    case requestTime = "spool_http_request_seconds"
    case databaseTime = "spool_database_seconds"
    case databaseErrors = "spool_database_errors_total"
    case redisTime = "spool_redis_seconds"
    case redisErrors = "spool_redis_errors_total"
    case sentSpans = "spool_trace_spans_sent_total"
    case droppedSpans = "spool_trace_spans_dropped_total"
    case foldedSeries = "spool_metrics_folded_values_total"
    // The state of the farm when it is asked for.
    case databaseUp = "spool_database_up"
    case queueUp = "spool_queue_up"
    case leading = "spool_leading"
    case jobs = "spool_jobs"
    case backlog = "spool_backlog_seconds"
    case oldestReady = "spool_oldest_ready_seconds"
    case paused = "spool_queue_paused"
    case openExports = "spool_exports_open"
    case deadLetters = "spool_dead_letters"
    case workers = "spool_workers"
    case slots = "spool_slots"
    case workerQueueTime = "spool_worker_queue_seconds"
    case workerDroppedSpans = "spool_worker_trace_spans_dropped"
    case assetBytes = "spool_store_asset_bytes"
    case storeSize = "spool_store_size_bytes"
    case storeFree = "spool_store_free_bytes"
    // The process itself, by the names that Prometheus's own libraries use.
    case build = "spool_build_info"
    case processorTime = "process_cpu_seconds_total"
    case residentMemory = "process_resident_memory_bytes"
    case startTime = "process_start_time_seconds"
    case openFiles = "process_open_fds"

    /// What the metric is.
    package var description: MetricDescription { FarmMetric.descriptions[self] ?? MetricDescription(rawValue, .gauge, rawValue) }

    private static let descriptions = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.described) })

    private var described: MetricDescription {
        let name = rawValue
        return switch self {
        case .queueWait:
            MetricDescription(
                name, .histogram, "Seconds from a job's being ready to its dispatch.", labels: ["kind"],
                buckets: MetricDescription.jobTimes)
        case .jobTime:
            MetricDescription(
                name, .histogram, "Seconds for which a job that succeeded held its slot.", labels: ["kind"],
                buckets: MetricDescription.jobTimes)
        case .jobCost:
            MetricDescription(
                name, .counter, "Seconds that rendering processes spent in each stage of jobs that succeeded.",
                labels: ["kind", "stage"])
        case .attempts: MetricDescription(name, .counter, "Attempts that ended.", labels: ["kind", "outcome"])
        case .retries:
            MetricDescription(name, .counter, "Failures after which a job is tried once more.", labels: ["kind", "class"])
        case .failedJobs: MetricDescription(name, .counter, "Jobs that failed for good.", labels: ["kind", "class"])
        case .expiredLeases:
            MetricDescription(name, .counter, "Attempts whose lease expired before their end.", labels: ["kind"])
        case .renderedJobs: MetricDescription(name, .counter, "Jobs that were done by running them.", labels: ["kind"])
        case .reusedJobs:
            MetricDescription(name, .counter, "Jobs that were done because their artifact existed.", labels: ["kind"])
        case .storedBytes:
            MetricDescription(name, .counter, "Bytes of artifacts that jobs wrote into the store.", labels: ["kind"])
        case .endedExports: MetricDescription(name, .counter, "Exports that ended.", labels: ["state"])
        case .requests:
            MetricDescription(
                name, .counter, "HTTP requests that were answered, by described route and class of status.",
                labels: ["method", "route", "status"])
        case .requestTime:
            MetricDescription(
                name, .histogram, "Seconds from an HTTP request's head to the head of its answer.", labels: ["method", "route"],
                buckets: MetricDescription.answerTimes)
        case .databaseTime:
            MetricDescription(
                name, .histogram, "Seconds that a statement or transaction took, the wait for a connection included.",
                labels: ["caller", "operation"], buckets: MetricDescription.answerTimes)
        case .databaseErrors:
            MetricDescription(
                name, .counter, "Statements and transactions that failed because of the database.", labels: ["caller"])
        case .redisTime:
            MetricDescription(
                name, .histogram, "Seconds until Redis answered; reads that wait for entries are left out.",
                labels: ["operation"], buckets: MetricDescription.answerTimes)
        case .redisErrors: MetricDescription(name, .counter, "Calls of Redis that failed.", labels: ["operation"])
        case .sentSpans: MetricDescription(name, .counter, "Spans of traces that a collector accepted.")
        case .droppedSpans: MetricDescription(name, .counter, "Spans of traces that were dropped.", labels: ["reason"])
        case .foldedSeries:
            MetricDescription(
                name, .counter, "Values that went to the series 'other', because their metric has too many series.",
                labels: ["metric"])
        case .databaseUp: MetricDescription(name, .gauge, "1 if the database answered the last look, otherwise 0.")
        case .queueUp: MetricDescription(name, .gauge, "1 if Redis answered the last look, otherwise 0.")
        case .leading: MetricDescription(name, .gauge, "1 if this coordinator leads, otherwise 0.")
        case .jobs:
            MetricDescription(name, .gauge, "Open jobs.", labels: ["role", "pool", "state"])
        case .backlog:
            MetricDescription(
                name, .gauge, "Predicted seconds of work of the jobs that wait or are ready: the signal for autoscaling.",
                labels: ["role", "pool"])
        case .oldestReady:
            MetricDescription(name, .gauge, "Seconds for which the oldest ready job has waited.", labels: ["role"])
        case .paused: MetricDescription(name, .gauge, "1 if an operator has paused the queue, otherwise 0.", labels: ["role"])
        case .openExports: MetricDescription(name, .gauge, "Exports that have not ended.", labels: ["state"])
        case .deadLetters:
            MetricDescription(name, .gauge, "Jobs that crashed for good and were neither retried nor discarded.")
        case .workers:
            MetricDescription(name, .gauge, "Workers with a recent heartbeat.", labels: ["role", "pool", "state"])
        case .slots:
            MetricDescription(
                name, .gauge, "Slots of workers; one that serves several roles or pools counts for each.",
                labels: ["role", "pool", "state"])
        case .workerQueueTime:
            MetricDescription(name, .gauge, "Seconds that the last heartbeat of the slowest worker took.")
        case .workerDroppedSpans:
            MetricDescription(name, .gauge, "Spans of traces that the workers of now have dropped.")
        case .assetBytes: MetricDescription(name, .gauge, "Bytes of all tenants' assets.")
        case .storeSize: MetricDescription(name, .gauge, "Bytes of the file system with the store's directory.")
        case .storeFree: MetricDescription(name, .gauge, "Bytes that are free there for the farm.")
        case .build: MetricDescription(name, .gauge, "Always 1; the label has the program's version.", labels: ["version"])
        case .processorTime: MetricDescription(name, .counter, "Processor seconds of this process.")
        case .residentMemory: MetricDescription(name, .gauge, "Bytes of memory that this process occupies.")
        case .startTime: MetricDescription(name, .gauge, "When this process started, in seconds since 1970.")
        case .openFiles: MetricDescription(name, .gauge, "Files and sockets that this process has open.")
        }
    }
}
