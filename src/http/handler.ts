// What every handler of a declared path is made of.

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../base/db.ts'
import type { Shop } from '../base/shop.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export const json = 'application/json; charset=utf-8'

export interface Tools {
  shops: Record<Environment, Shop>
  input: (request: FastifyRequest) => Record<string, unknown>
  checkReply: ((data: unknown) => void) | undefined
}
