/** Sections of the reference server: their options are skipped, except our own. */
const SECTIONS = words(`
  activities agency arangosearch async-registry audit auth backup cache compaction crash-handler database
  dispatcher dump encryption foxx frontend http icu javascript ldap ldap2 license log mmfiles network nonce
  pregel query random rclone replication rocksdb ruby scheduler tcp temp tls transaction ttl vst wal
  web-interface
`);

/** Its current and obsolete options in the sections that we share, and those outside of sections. */
const OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  '': words(`
  daemon default-language default-language-check fortune gid honor-nsswitch icu-language log pid-file supervisor
  uid use-splice-syscall working-directory
`),
  server: words(`
  allow-method-override allow-use-database api-call-recording api-recording-memory-limit aql-query-recording
  aql-recording-memory-limit aql-threads authenticate-system-only authentication authentication-system-only
  authentication-timeout authentication-unix-sockets backlog-size cafile check-max-memory-mappings
  cluster-metrics-timeout count-descriptors-interval default-api-compatibility descriptors-minimum
  disable-authentication disable-authentication-unix-sockets disable-replication-applier
  disable-replication-logger disable-statistics early-connections ensure-whitespace-metrics-format
  export-metrics-api export-read-write-metrics export-shard-usage-metrics external-rbac-service extra-threads
  flush-interval foxx-queues foxx-queues-poll-interval gid harden hide-product-header io-threads jwt-secret
  jwt-secret-folder jwt-secret-keyfile keep-alive-timeout license-check-interval
  license-disk-usage-grace-period-readonly license-disk-usage-grace-period-shutdown license-disk-usage-limit
  license-disk-usage-update-interval local-authentication maintenance-actions-block maintenance-actions-linger
  maintenance-slow-threads maintenance-threads max-number-detached-threads max-packet-size
  maximal-number-sync-shard-actions maximal-queue-size maximal-threads minimal-threads
  ongoing-low-priority-multiplier options-api prio1-size prio2-size rest-server reuse-address scheduler
  scheduler-queue-size session-timeout ssl-cache ssl-cipher-list ssl-options ssl-protocol statistics
  statistics-all-databases statistics-history storage-engine support-info-api telemetrics-api
  telemetrics-api-max-requests thread-affinity threads uid unavailability-queue-fill-grade validate-utf8-strings
`),
  cluster: words(`
  api-jwt-policy arangod-path connectivity-check-interval coordinator-config create-waits-for-sync-replication
  data-path dbserver-config default-replication-factor disable-dispatcher-frontend
  disable-dispatcher-kickstarter failed-write-concern-status-code force-one-shard index-create-timeout log-path
  max-number-of-move-shards max-number-of-shards max-replication-factor min-replication-factor my-id
  my-local-info no-heartbeat-delay-before-shutdown password require-persisted-id resign-leadership-on-shutdown
  shard-synchronization-attempt-timeout synchronous-replication-timeout-factor
  synchronous-replication-timeout-maximum synchronous-replication-timeout-minimum
  synchronous-replication-timeout-per-4k system-replication-factor upgrade username write-concern
`),
  ssl: words(`
  cafile cipher-list ecdh-curve options prefer-http1-in-alpn protocol require-peer-certificate
  server-name-indication session-cache
`),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * Whether the reference server knows an option of this name, which can be skipped. Options that do something other than serve
 * (`--check-configuration`, `--dump-options`), or that change other values (`--define`), cannot.
 *
 * The names come from its documentation, 2.8 to 4.0.
 */
export function isReferenceOption(name: string): boolean {
  const dot = name.indexOf('.');
  const section = name.slice(0, Math.max(dot, 0));
  if (!/^[-\w]+$/.test(name.slice(dot + 1))) return false;
  return (
    SECTIONS.has(section) || (Object.hasOwn(OPTIONS, section) && OPTIONS[section]?.has(name.slice(dot + 1)) === true)
  );
}
