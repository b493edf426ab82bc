// Settings for a small machine that the database shares with the server.

export interface ServerPaths {
  /** PGDATA. */
  cluster: string
  socketDir: string
}

/** Files that say which account of the system may connect. */
export interface AccessFiles {
  hbaFile: string
  identFile: string
}

export const superuser = 'bozor'
export const database = 'bozor'
export const port = 5432

/** Settings as command-line arguments: no configuration file has to be kept in sync. */
export function postmasterArguments(
  site: ServerPaths & { access?: AccessFiles | undefined },
  overrides: Record<string, string>,
): string[] {
  const access = site.access && { hba_file: site.access.hbaFile, ident_file: site.access.identFile }
  const settings = { ...tuning, ...privacy, ...listening(site.socketDir), ...access, ...overrides }
  return [
    '-D',
    site.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

const tuning = {
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '120',
  random_page_cost: '1.1',
  jit: 'off',
  // Parallel workers share memory through /dev/shm, of which a container gets 64 MB.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  fsync: 'on',
  synchronous_commit: 'on',
  // The embedded database has no replicas.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
}

/** Statements and parameters contain secrets and must not be logged, not even when they fail. */
const privacy = {
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  logging_collector: 'off',
}

const listening = (socketDir: string) => ({
  listen_addresses: '',
  port: String(port),
  unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
})
