// The devices on which a buyer takes push messages.

import { Type } from 'typebox'
import { refuse } from '../../base/refusal.ts'
import { del, get, post, type Route } from '../../http/route.ts'
import { instant, list, named, oneOf, strict, text } from '../../http/schema.ts'
import { type Device, listDevices, platforms, removeDevice, upsertDevice } from '../store/devices.ts'
import { clientOf } from './consents.ts'
import { uuid } from './wire.ts'

const deviceReply = named(
  'Device',
  Type.Object({ id: uuid, platform: oneOf(platforms), created_at: instant, seen_at: instant }),
)
const oneDevice = Type.Object({ device: deviceReply })

/** Without its token: whoever has that can write to it. */
const deviceView = (it: Device) => ({
  id: it.id,
  platform: it.platform,
  created_at: it.createdAt.toISOString(),
  seen_at: it.seenAt.toISOString(),
})

export const deviceRoutes: Route[] = [
  get('/v1/auth/devices', {
    summary: 'On which devices I take push messages',
    scope: null,
    needs: 'client',
    reply: Type.Object({ devices: list(deviceReply, 10) }),
    run: async ({ read, principal }) => ({
      data: { devices: (await listDevices(read, clientOf(principal))).map(deviceView) },
    }),
  }),
  post('/v1/auth/devices', {
    summary: 'Take push messages on this device',
    description:
      'Send it at every start of the application: a device belongs to whoever signed in on it last.',
    scope: null,
    needs: 'client',
    body: strict({
      token: text({ max: 500, pattern: '^[!-~]+$', examples: ['APA91bHun4MxP5egoKMwt2KZFBaFUH'] }),
      platform: oneOf(platforms),
    }),
    reply: oneDevice,
    creates: true,
    run: async ({ tx, principal, body }) => ({
      data: { device: deviceView(await upsertDevice(tx, { ...body, clientId: clientOf(principal) })) },
    }),
  }),
  del('/v1/auth/devices/{device_id}', {
    summary: 'Take no more push messages on a device',
    scope: null,
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
