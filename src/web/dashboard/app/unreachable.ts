/** Sent to the window when a call did not reach the server. */
export const unreachableEvent = 'bozor-unreachable'
