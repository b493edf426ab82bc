// The saved addresses of a client.

import { Type } from 'typebox'
import { publish } from '../../base/outbox.ts'
import { timedUuid } from '../../base/random.ts'
import { refuse } from '../../base/refusal.ts'
import type { Language } from '../../http/language.ts'
import { del, get, post, put, type Route } from '../../http/route.ts'
import { instant, list, name, named, nullable, strict, uuid } from '../../http/schema.ts'
import { clientOf } from '../access.ts'
import {
  deleteAddress,
  insertAddress,
  listAddresses,
  type SavedAddress,
  updateAddress,
} from './addresses-store.ts'
import { addressText } from './address.ts'
import { addressIn, addressOf, addressReply, addressView, inV1 } from './request.ts'

const maxAddresses = 50

const savedAddress = named(
  'SavedAddress',
  Type.Object({
    id: uuid,
    title: nullable(Type.String()),
    text: Type.String({ description: 'The address in one line.' }),
    address: addressReply,
    created_at: instant,
    updated_at: instant,
  }),
)
const oneAddress = Type.Object({ address: savedAddress })
const body = strict({ title: Type.Optional(nullable(name(100, 'Uy'))), address: addressIn(inV1) })
const params = { address_id: uuid }

const view = (it: SavedAddress, language: Language) => ({
  id: it.id,
  title: it.title,
  text: addressText(it.address),
  address: addressView(it.address, language),
  created_at: it.createdAt.toISOString(),
  updated_at: it.updatedAt.toISOString(),
})

const notFound = (addressId: string) => refuse('not_found', { resource: 'address', id: addressId })

export const addressRoutes: Route[] = [
  get('/v1/auth/addresses', {
    summary: 'List my addresses',
    description: 'The newest first.',
    scope: 'profile:read',
    needs: 'client',
    reply: Type.Object({ addresses: list(savedAddress, maxAddresses) }),
    run: async ({ read, principal, language }) => ({
      data: {
        addresses: (await listAddresses(read, clientOf(principal))).map((it) => view(it, language)),
      },
    }),
  }),
  post('/v1/auth/addresses', {
    summary: 'Save an address',
    description: `At most ${maxAddresses}. Orders name it by its id.`,
    scope: 'profile:write',
    needs: 'client',
    body,
    reply: oneAddress,
    creates: true,
    run: async ({ tx, principal, language, body: sent }) => {
      const clientId = clientOf(principal)
      const saved = await insertAddress(tx, {
        clientId,
        id: timedUuid(tx.now),
        title: sent.title ?? null,
        address: addressOf(sent.address),
        max: maxAddresses,
      })
      if (!saved) throw refuse('validation_failed', { fields: [{ path: 'address', rule: 'too_many' }] })
      publish(tx, { type: 'AddressSaved', addressId: saved.id, clientId })
      return { data: { address: view(saved, language) } }
    },
  }),
  put('/v1/auth/addresses/{address_id}', {
    summary: 'Replace an address',
    scope: 'profile:write',
    needs: 'client',
    params,
    body,
    reply: oneAddress,
    run: async ({ tx, principal, language, params: { address_id: id }, body: sent }) => {
      const clientId = clientOf(principal)
      const saved = await updateAddress(tx, {
        clientId,
        id,
        title: sent.title ?? null,
        address: addressOf(sent.address),
      })
      if (!saved) throw notFound(id)
      publish(tx, { type: 'AddressSaved', addressId: id, clientId })
      return { data: { address: view(saved, language) } }
    },
  }),
  del('/v1/auth/addresses/{address_id}', {
    summary: 'Delete an address',
    description: 'Orders keep the address to which they were sent.',
    scope: 'profile:write',
    needs: 'client',
    params,
    reply: oneAddress,
    run: async ({ tx, principal, language, params: { address_id: id } }) => {
      const clientId = clientOf(principal)
      const deleted = await deleteAddress(tx, clientId, id)
      if (!deleted) throw notFound(id)
      publish(tx, { type: 'AddressDeleted', addressId: id, clientId })
      return { data: { address: view(deleted, language) } }
    },
  }),
]
