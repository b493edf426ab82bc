// The devices on which a buyer receives push messages.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { instant, list, named, oneOf, strict, text } from '../../http/schema.ts'
import { type Device, listDevices, platforms, removeDevice, upsertDevice } from './store.ts'
import { clientOf } from '../consents/routes.ts'
import { uuid } from '../templates/routes.ts'

const deviceReply = named(
  'Device',
  Type.Object({ id: uuid, platform: oneOf(platforms), created_at: instant, seen_at: instant }),
)
const oneDevice = Type.Object({ device: deviceReply })

/** Without the token, which is a credential. */
const deviceView = (it: Device) => ({
  id: it.id,
  platform: it.platform,
  created_at: it.createdAt.toISOString(),
  seen_at: it.seenAt.toISOString(),
})

export const deviceRoutes: Route[] = [
  get('/v1/auth/devices', {
    summary: 'List my push devices',
    scope: 'profile:read',
    needs: 'client',
    reply: Type.Object({ devices: list(deviceReply, 10) }),
    run: async ({ read, principal }) => ({
      data: { devices: (await listDevices(read, clientOf(principal))).map(deviceView) },
    }),
  }),
  post('/v1/auth/devices', {
    summary: 'Register this device for push messages',
    description:
      'Call it at every start of the application: a device belongs to the client who signed in on it last.',
    scope: 'profile:write',
    needs: 'client',
    body: strict({
      token: text({ max: 500, pattern: '^[!-~]+$', examples: ['APA91bHun4MxP5egoKMwt2KZFBaFUH'] }),
      platform: oneOf(platforms),
    }),
    reply: oneDevice,
    creates: 'sometimes',
    run: async ({ tx, principal, body }) => {
      const { isNew, ...device } = await upsertDevice(tx, { ...body, clientId: clientOf(principal) })
      return { data: { device: deviceView(device) }, created: isNew }
    },
  }),
  del('/v1/auth/devices/{device_id}', {
    summary: 'Remove a push device',
    scope: 'profile:write',
    needs: 'client',
    params: { device_id: uuid },
    reply: oneDevice,
    run: async ({ tx, principal, params }) => {
      const device = await removeDevice(tx, clientOf(principal), params.device_id)
      if (!device) throw refuse('not_found')
      return { data: { device: deviceView(device) } }
    },
  }),
]
