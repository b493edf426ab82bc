// The little of WebAssembly that tree kernels need, typed here because the compiler knows no browser.
import { readFileSync } from 'node:fs'

export type WasmModule = object
export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer
  grow(pages: number): number
}
export interface WasmApi {
  Memory: new (size: { initial: number; maximum?: number; shared?: boolean }) => WasmMemory
  Module: new (bytes: Uint8Array) => WasmModule
  Instance: new (module: WasmModule, imports: { env: { memory: WasmMemory } }) => { exports: unknown }
  validate: (bytes: Uint8Array) => boolean
}

export const WASM_PAGE_BYTES = 65_536

/** The runtime's WebAssembly. */
export function wasmApi(): WasmApi {
  return (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly
}

/** Compiles a committed kernel; undefined where this runtime lacks an instruction the kernel uses. */
export function compiledWasm(name: string): WasmModule | undefined {
  const bytes = readFileSync(new URL(`./${name}.wasm`, import.meta.url))
  return wasmApi().validate(bytes) ? new (wasmApi().Module)(bytes) : undefined
}
