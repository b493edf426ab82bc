/** What browsers load first, by the name of the page. An entry whose file is missing is left out. */
export const entries = {
  dashboard: 'src/web/dashboard/main.tsx',
} as const

export type EntryName = keyof typeof entries
