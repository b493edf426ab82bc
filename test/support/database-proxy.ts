// A TCP proxy to the database that can stop forwarding in both directions without closing the connections.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'

export interface DatabaseProxy {
  connection: pg.PoolConfig
  block(): void
  unblock(): void
  close(): void
}

export async function openDatabaseProxy(to: pg.PoolConfig): Promise<DatabaseProxy> {
  const { host, port, user, database, password } = new pg.Client(to)
  const sockets = new Set<Socket>()
  /** They lost bytes: a reply would never come, as on no real network. They are cut when others are served again. */
  const broken = new Set<Socket>()
  let blocked = false
  const pass = (from: Socket, into: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (blocked) broken.add(from).add(into)
      else into.write(bytes)
    })
    from.on('error', () => {})
    from.on('close', () => blocked || into.destroy())
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
    block: () => (blocked = true),
    unblock: () => {
      blocked = false
      for (const socket of broken) socket.destroy()
      broken.clear()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
