export { type ApplicationType, applicationTypes, isRedirectUrl } from './application.ts'
export { recordCommand, recordDeed } from './audit.ts'
export { openAuthenticator } from './authenticate.ts'
export { buyerOf, mergingBuyers, type Named, namedByCustomerId, refuseOtherRequester } from './buyer.ts'
export { forgetOldRecords } from './jobs.ts'
export { forgetSessions } from './forget-sessions.ts'
export { issueKey } from './issue-key.ts'
export { consentPage } from './pages/consent-page.ts'
export { messagePage } from './pages/message-page.ts'
export { signInPage } from './pages/sign-in-page.ts'
export { signUpPage } from './pages/sign-up-page.ts'
export { Passwords } from './password.ts'
export { openOrigins } from './origins.ts'
export { noOwners, type Owners } from './register-client.ts'
export { clientRoutes } from './routes/clients.ts'
export { registerApplication } from './register-application.ts'
export { revokeKey } from './revoke-key.ts'
export { longestOverlapSeconds, rotateKey } from './rotate-key.ts'
export { routes } from './routes/index.ts'
export {
  findApplication,
  findApplicationByName,
  hasApplications,
  listApplications,
  listKeys,
} from './store/applications.ts'
export { verifiesSecret } from './verifies-secret.ts'
