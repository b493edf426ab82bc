export { type ApplicationType, applicationTypes, isRedirectUrl } from './application.ts'
export { openAuthenticator } from './authenticate.ts'
export { buyerOf, mergingBuyers, type Named, namedByCustomerId, refuseOtherRequester } from './buyer.ts'
export { issueKey } from './issue-key.ts'
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
