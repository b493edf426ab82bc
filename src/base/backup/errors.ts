/** A backup or a target that cannot be used, with what to do about it. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable'
}
