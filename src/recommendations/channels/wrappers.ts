// What stands around the offers: with a source or without, with a mini-app's id or without, or nothing at all.

import { type TSchema, Type } from 'typebox'
import { oneOf } from '../../http/schema.ts'
import { type Source, sources } from '../ask.ts'
import type { Settings } from './channels.ts'

export interface Wrapper {
  shape(offer: TSchema): TSchema
  /** What stands beside the offers; null when nothing does and the list is bare. */
  beside(source: Source, settings: Settings): Record<string, string | null> | null
}

const source = oneOf(sources, { description: 'What truly ordered the list.' })
const miniAppId = Type.String({ description: 'As the shop has configured it.', examples: ['bozor-mini'] })

export const plain: Wrapper = {
  shape: (offer) => Type.Object({ offers: Type.Array(offer), source }),
  beside: (from) => ({ source: from }),
}

/** General v3 has the field, and it is always null. */
export const withoutMiniApp: Wrapper = {
  shape: (offer) => Type.Object({ offers: Type.Array(offer), mini_app_id: Type.Null(), source }),
  beside: (from) => ({ mini_app_id: null, source: from }),
}

export const withMiniApp = (name: 'miniAppIdV2'): Wrapper => ({
  shape: (offer) => Type.Object({ offers: Type.Array(offer), mini_app_id: miniAppId, source }),
  beside: (from, settings) => ({ mini_app_id: settings[name], source: from }),
})

export const withoutSource = (name: 'miniAppIdV1'): Wrapper => ({
  shape: (offer) => Type.Object({ offers: Type.Array(offer), mini_app_id: miniAppId }),
  beside: (_from, settings) => ({ mini_app_id: settings[name] }),
})

export const bareArray: Wrapper = {
  shape: (offer) => Type.Array(offer),
  beside: () => null,
}
