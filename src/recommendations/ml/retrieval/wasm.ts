// The little of WebAssembly that kernels need, typed here because the compiler knows no browser.

export interface Memory {
  readonly buffer: SharedArrayBuffer
}
export type Module = object
export type Calls = Record<string, (...args: number[]) => number>

interface Api {
  Memory: new (size: { initial: number; maximum: number; shared: boolean }) => Memory
  Module: new (bytes: Uint8Array) => Module
  Instance: new (module: Module, imports: { env: { memory: Memory } }) => { exports: Calls }
  validate: (bytes: Uint8Array) => boolean
}

export const webAssembly = (): Api => (globalThis as unknown as { WebAssembly: Api }).WebAssembly
