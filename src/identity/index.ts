export { type ApplicationType, applicationTypes, isRedirectUrl } from './application.ts'
export { openAuthenticator } from './authenticate.ts'
export { issueKey } from './issue-key.ts'
export { registerApplication } from './register-application.ts'
export { revokeKey } from './revoke-key.ts'
export { longestOverlapSeconds, rotateKey } from './rotate-key.ts'
export { routes } from './routes.ts'
export {
  findApplication,
  findApplicationByName,
  hasApplications,
  listApplications,
  listKeys,
} from './store.ts'
export { verifiesSecret } from './verifies-secret.ts'
