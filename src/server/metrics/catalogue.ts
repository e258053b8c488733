// Every metric of the gateway: its name, type, help and labels. docs/operating.md lists them with the same help, and the
// dashboard and the alerts in ops/ may name only these. A label's value comes from a closed list: never a viewer, a key, a
// number, an ID or an address.

interface Described<Label extends string> {
  name: string;
  help: string;
  labels: readonly Label[];
}

export type CounterSpec<Label extends string = string> = Described<Label> & { type: "counter" };
export type GaugeSpec<Label extends string = string> = Described<Label> & { type: "gauge" };
export type HistogramSpec<Label extends string = string> = Described<Label> & {
  type: "histogram";
  buckets: readonly number[];
};
export type MetricSpec = CounterSpec | GaugeSpec | HistogramSpec;

/** In seconds. */
const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SLOW = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500];

const counter = <L extends string = never>(name: string, help: string, ...labels: L[]): CounterSpec<L> => ({
  type: "counter",
  name,
  help,
  labels,
});
const gauge = <L extends string = never>(name: string, help: string, ...labels: L[]): GaugeSpec<L> => ({
  type: "gauge",
  name,
  help,
  labels,
});
const histogram = <L extends string = never>(
  name: string,
  buckets: readonly number[],
  help: string,
  ...labels: L[]
): HistogramSpec<L> => ({ type: "histogram", name, help, labels, buckets });

export const catalogue = {
  // The process.
  buildInfo: gauge("switchboard_build_info", "1, with the versions of the gateway and of Node.", "version", "node"),
  logLinesLost: counter("switchboard_log_lines_lost_total", "Lines of the log that standard output did not take."),
  // Webhooks and the log of ended calls.
  webhooks: counter("switchboard_webhooks_total", "Authentic webhooks.", "outcome"),
  // The one name without the prefix: alerts for the rotation of the secret use it (docs/security.md).
  webhookAuth: counter("webhook_auth_total", "Authorization headers of webhooks, by the accepted value.", "secret"),
  webhookSeconds: histogram("switchboard_webhook_seconds", FAST, "Time to answer an authentic webhook.", "outcome"),
  lastWebhook: gauge("switchboard_last_webhook_timestamp_seconds", "Unix time of the last authentic webhook."),
  commitSeconds: histogram("switchboard_commit_seconds", FAST, "Time of one commit to the log of ended calls."),
  commitEvents: histogram("switchboard_commit_events", SIZES, "Deliveries in one commit."),
  events: counter("switchboard_events_total", "Deliveries to the log of ended calls.", "source", "outcome"),
  logHead: gauge("switchboard_log_head", "The position of the newest entry in the log of ended calls."),
  logChecked: gauge("switchboard_log_checked_ratio", "The part of the log, from 0 to 1, that needs no further check."),
  lostEvents: gauge("switchboard_lost_events", "Events that a failover of PostgreSQL lost, as noticed within a day."),
  clockDoubted: gauge("switchboard_clock_doubted", "1 while the clock is in doubt, so that nothing expires."),
  readerPosition: gauge(
    "switchboard_reader_position",
    "The position of the last entry of the log that a durable reader has handled.",
    "reader",
  ),
  readerLag: gauge("switchboard_reader_lag", "Entries of the log that a durable reader has not handled yet.", "reader"),
  destinationAttempts: counter(
    "switchboard_destination_attempts_total",
    "Attempts to deliver an event to a destination.",
    "destination",
    "outcome",
  ),
  destinationLost: counter(
    "switchboard_destination_lost_total",
    "Events that a destination does not get any more.",
    "destination",
    "reason",
  ),
  destinationDisabled: gauge(
    "switchboard_destination_disabled",
    "1 while a destination is disabled, because it was gone or failed for days.",
    "destination",
  ),
  destinationFailing: gauge(
    "switchboard_destination_failing_seconds",
    "How long a destination has taken nothing though events were sent. 0: it takes events.",
    "destination",
  ),
  destinationLag: gauge(
    "switchboard_destination_lag",
    "Entries of the log that a destination has not received or passed over yet.",
    "destination",
  ),
  destinationOldest: gauge(
    "switchboard_destination_oldest_seconds",
    "Age of the oldest entry of the log that a destination has not received or passed over yet.",
    "destination",
  ),
  destinationLetters: gauge(
    "switchboard_destination_letters",
    "Events that a destination did not take and that later ones have overtaken.",
    "destination",
    "state",
  ),
  destinationAlerts: gauge(
    "switchboard_destination_alerts_waiting",
    "Messages about alerts from the first one on that a destination has not taken.",
    "destination",
  ),
  destinationsLeft: gauge(
    "switchboard_destinations_left",
    "Destinations of which the database keeps a place, though they are not in DESTINATIONS_FILE any more.",
  ),
  alertsOpen: gauge("switchboard_alerts_open", "Open alerts on campaigns, by the name of the rule.", "rule"),
  alertLateCalls: counter(
    "switchboard_alert_late_calls_total",
    "Calls that count for no alert, because the gateway learned of them more than an hour after their ends.",
  ),
  quarantined: gauge("switchboard_quarantined", "Webhooks in quarantine."),
  reconcileCompleted: gauge(
    "switchboard_reconcile_completed_timestamp_seconds",
    "Unix time of the last complete search of the service's call log.",
  ),
  reconcileInterval: gauge("switchboard_reconcile_interval_seconds", "Time between two searches of the call log."),
  // Operations and subscriptions.
  operations: counter("switchboard_operations_total", "Operations.", "transport", "kind", "code"),
  operationSeconds: histogram(
    "switchboard_operation_seconds",
    FAST,
    "Time of an operation from its check to its result.",
    "transport",
    "kind",
  ),
  notServed: counter("switchboard_not_served_total", "Rejected connections, requests and sockets.", "place", "status"),
  sockets: gauge("switchboard_sockets", "Open WebSockets."),
  subscriptions: gauge("switchboard_subscriptions", "Running subscriptions."),
  subscriptionsEnded: counter("switchboard_subscriptions_ended_total", "Subscriptions that have ended.", "reason"),
  groups: gauge("switchboard_groups", "Groups of subscriptions that share results."),
  deliverySeconds: histogram(
    "switchboard_delivery_seconds",
    FAST,
    "Time from the receipt of an event until a group has sent it to all its subscribers.",
  ),
  // The service.
  upstreamRequests: counter("switchboard_upstream_requests_total", "Read requests to the service, with retries."),
  upstreamRetries: counter("switchboard_upstream_retries_total", "Retries of read requests to the service."),
  upstreamShared: counter("switchboard_upstream_shared_total", "Reads that shared another request."),
  upstreamCached: counter("switchboard_upstream_cached_total", "Reads that the cache answered."),
  upstreamSeconds: histogram(
    "switchboard_upstream_request_seconds",
    SLOW,
    "Time of one request to the service.",
    "route",
    "outcome",
  ),
  upstreamTasks: histogram("switchboard_upstream_tasks", SIZES, "Tasks that one query of the call log names."),
  upstreamUnderWay: gauge("switchboard_upstream_under_way", "Requests to the service in flight."),
  upstreamQueued: gauge("switchboard_upstream_queued", "Requests to the service that wait for a free slot."),
  tokenRefused: gauge(
    "switchboard_upstream_token_refused",
    "1 if the service's last answer refused the access token, 0 if not.",
  ),
  upstreamState: gauge("switchboard_upstream_state", "1 for the current state of the service.", "state"),
  timesAhead: gauge(
    "switchboard_upstream_times_ahead_seconds",
    "By how much calls end after their webhooks come, if UPSTREAM_TIME_ZONE seems to be wrong; else 0.",
  ),
  // What is kept.
  recordings: gauge("switchboard_recordings", "Recordings, by status.", "status"),
  recordingsLost: counter("switchboard_recordings_lost_total", "Recordings that the gateway gave up."),
  recordingsOldest: gauge("switchboard_recordings_oldest_pending_seconds", "Age of the oldest pending recording."),
  submissions: gauge("switchboard_submissions", "Submissions of tasks, by status.", "status"),
  submissionsOldest: gauge("switchboard_submissions_oldest_pending_seconds", "Age of the oldest pending submission."),
  writable: gauge("switchboard_database_writable", "1 if the database accepts writes, 0 if not."),
  databaseSeconds: histogram("switchboard_database_seconds", FAST, "Time of an answer of the database.", "database"),
  connections: gauge("switchboard_postgres_connections", "Open connections to PostgreSQL.", "state"),
  connectionsAwaited: gauge("switchboard_postgres_waiting", "Transactions that wait for a connection to PostgreSQL."),
  diskFree: gauge("switchboard_disk_free_bytes", "Free bytes of the disk that holds a folder.", "folder"),
  diskSize: gauge("switchboard_disk_size_bytes", "Size of the disk that holds a folder.", "folder"),
} as const;

export type Catalogue = typeof catalogue;
