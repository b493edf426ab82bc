import { sha256 } from '../../base/random.ts'

const parts = 2 ** 32

/**
 * Whether a client is held out of a campaign: a hash of both decides, so he is in the same group at every occasion, on
 * every machine, and in groups of other campaigns by another draw.
 */
export const isHeldOut = (campaignId: number, clientId: number, percent: number): boolean =>
  sha256(`${campaignId}/${clientId}`).readUInt32BE() < (percent / 100) * parts
