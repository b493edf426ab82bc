// The part of WebAssembly that the kernels need, typed here because TypeScript's Node library does not declare it.
import { readFileSync } from 'node:fs'

export type WasmModule = object
export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer
  grow(pages: number): number
}
export interface SharedMemory extends WasmMemory {
  readonly buffer: SharedArrayBuffer
}
/** The exported functions of a kernel; all take and return numbers. */
export type Calls = Record<string, (...args: number[]) => number>
export interface WasmApi {
  Memory: new (size: { initial: number; maximum?: number; shared?: boolean }) => WasmMemory
  Module: new (bytes: Uint8Array) => WasmModule
  Instance: new (module: WasmModule, imports: { env: { memory: WasmMemory } }) => { exports: unknown }
  validate: (bytes: Uint8Array) => boolean
}

export const wasmPageBytes = 65_536

export function wasmApi(): WasmApi {
  return (globalThis as unknown as { WebAssembly: WasmApi }).WebAssembly
}

/** Compiles a committed kernel; undefined where this runtime lacks an instruction the kernel uses. */
export function compiledWasm(name: string): WasmModule | undefined {
  const bytes = kernelBytes(name)
  return wasmApi().validate(bytes) ? new (wasmApi().Module)(bytes) : undefined
}

/** Whether this runtime can run the kernel. Without relaxed SIMD the caller uses the plain implementation. */
export const canRun = (name: string): boolean => wasmApi().validate(kernelBytes(name))

export const kernelModule = (name: string): WasmModule => new (wasmApi().Module)(kernelBytes(name))

/** A kernel's functions over the given memory, for calls on this thread. */
export function kernelCalls(module: WasmModule, memory: WasmMemory): Calls {
  return new (wasmApi().Instance)(module, { env: { memory } }).exports as Calls
}

/** Shared memory of at least this many bytes. It never grows, so views stay valid. */
export function sharedMemory(bytes: number): SharedMemory {
  const pages = Math.max(1, Math.ceil(bytes / wasmPageBytes))
  if (pages > 65_536) throw new RangeError('a model of this size does not fit 4 GB of kernel memory')
  return new (wasmApi().Memory)({ initial: pages, maximum: pages, shared: true }) as SharedMemory
}

const kernelBytes = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(`./${name}.wasm`, import.meta.url)))
