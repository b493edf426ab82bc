export { storefrontApplication, storefrontName } from './application.ts'
export { openStorefront } from './open-storefront.ts'
