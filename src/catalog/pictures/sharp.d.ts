// The part of sharp that pictures use. The package is loaded when the first picture is uploaded, so only its shape is
// needed here.

declare module 'sharp' {
  interface Sharp {
    metadata(): Promise<{ autoOrient: { width: number; height: number } }>
    autoOrient(): Sharp
    resize(options: { width: number; height: number; fit: 'inside'; withoutEnlargement: true }): Sharp
    webp(options: { quality: number }): Sharp
    toBuffer(): Promise<Buffer>
  }
  export default function sharp(
    input: Buffer,
    options: { limitInputPixels: number; failOn: 'error'; pages: 1 },
  ): Sharp
}
