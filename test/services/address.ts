// One TCP address whose target can be changed: what a virtual address or a proxy is in front of a database.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface MovableAddress {
  port: number
  /** New connections go to the port, and existing ones are cut. */
  moveTo(port: number): void
  close(): void
}

export async function openMovableAddress(target: number): Promise<MovableAddress> {
  const sockets = new Set<Socket>()
  let port = target
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.address() as AddressInfo).port,
    moveTo: (next) => {
      port = next
      cutAll()
    },
    close: () => {
      cutAll()
      server.close()
    },
  }
}
