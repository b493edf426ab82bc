// A way to the database that can fall silent: bytes stop in both directions, and nobody hangs up.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

export interface MuteWay {
  connection: pg.PoolConfig
  mute(): void
  speak(): void
  close(): void
}

export async function muteWay(to: pg.PoolConfig): Promise<MuteWay> {
  const { host, port, user, database, password } = new pg.Client(to)
  const sockets = new Set<Socket>()
  let muted = false
  const pass = (from: Socket, into: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => muted || into.write(bytes))
    from.on('error', () => {})
    from.on('close', () => muted || into.destroy())
  }
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    connection: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      user: user!,
      database: database!,
      ...(password && { password }),
    },
    mute: () => (muted = true),
    speak: () => (muted = false),
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
