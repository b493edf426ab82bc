// SVG shapes of which every picture consists, on a square of 480.

/** The colours of one picture. */
export interface Paint {
  main: string
  /** Shadow side. */
  dark: string
  light: string
  /** Accent. */
  accent: string
  /** Background. */
  ground: string
}

export const ink = '#2b2f38'
export const steel = '#c9d1da'
export const glass = '#dff1fb'
export const paper = '#fffdf8'
export const wood = '#b98a5e'

export const box = (x: number, y: number, w: number, h: number, round: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${round}" fill="${fill}"/>`

export const disc = (x: number, y: number, r: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`

export const oval = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`

/** A filled path. */
export const shape = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`

/** A line with round ends. */
export const line = (d: string, colour: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`

export const ring = (x: number, y: number, r: number, colour: string, width: number): string =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${colour}" stroke-width="${width}"/>`
