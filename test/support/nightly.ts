// What only `npm run test:nightly` runs: long forms whose short form is in `npm test`.

export const isNightly = process.env['BOZOR_TEST_NIGHTLY'] !== undefined

/** Options of a test that runs at night only. */
export const nightly = { skip: !isNightly && 'runs with npm run test:nightly' }
