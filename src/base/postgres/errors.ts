// Errors that an operator can fix. Each message says what was found and what to do.

/** Another process owns the data directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse'
}

/** The data directory, or the database in it, cannot be used as it is. */
export class DataDirectoryUnusable extends Error {
  override readonly name = 'DataDirectoryUnusable'
}

/** This machine cannot run the database that comes with the package. */
export class EmbeddedPostgresUnavailable extends Error {
  override readonly name = 'EmbeddedPostgresUnavailable'
}

export const externalDatabaseHint = 'or set DATABASE_URL to use a PostgreSQL of your own'

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
