/** Whose consent counts: a client's own, whatever his address is just now, or that of a bare address. */
export const holderOf = (clientId: number | null, address: string | null): string =>
  clientId === null ? (address ?? '') : `client/${clientId}`
