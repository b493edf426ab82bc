export { issueKey, maxOverlapSeconds, revokeKey, rotateKey } from './applications/api-keys.ts'
export { type ApplicationType, applicationTypeOf, isRedirectUrl } from './applications/application.ts'
export { registerApplication } from './applications/applications.ts'
export {
  findOwnApplication,
  type OwnCredentials,
  registerOwnApplication,
} from './applications/own-applications.ts'
export { verifiesSecret } from './applications/client-secrets.ts'
export {
  findApplication,
  findApplicationByName,
  hasApplications,
  listApplications,
  listKeys,
} from './applications/store.ts'
export { recordCommand } from './audit/audit.ts'
export {
  type BuyerFields,
  buyerOf,
  cartFields,
  fieldForBoth,
  mergingBuyers,
  type Named,
  namedByCustomerId,
  refuseOtherRequester,
} from './clients/buyer.ts'
export type { ClientData } from './clients/client-data.ts'
export { emailOf, phoneOf } from './clients/client.ts'
export { openReset } from './clients/change-password.ts'
export { refuseMergedOrErased } from './clients/manage-clients.ts'
export { clientRecords } from './clients/records.ts'
export type { FindClientsWithData } from './clients/register-client.ts'
export {
  clientsByPhone,
  clientsClaiming,
  clientsSeenSince,
  contactsOfClients,
  findClients,
} from './clients/store.ts'
export { inviteMember } from './members/invitations.ts'
export { generatePassword, joinLink, type Role, roles } from './members/member.ts'
export { changeMember, createMember, deactivateMember, reactivateMember } from './members/members.ts'
export { openMemberReset } from './members/password-reset.ts'
export { setMemberPassword } from './members/sign-in.ts'
export {
  findMemberByEmail,
  hasMembers,
  isNeverUsed,
  listMembers,
  replaceFirstPassword,
} from './members/store.ts'
export { oauthOpenApi } from './oauth/openapi.ts'
export { openIdentity } from './open-identity.ts'
export { type Frame, page } from './pages/layout.ts'
export { Passwords } from './passwords.ts'
export { clientResetToken, memberResetPath, memberResetToken, resetPath } from './reset-tokens.ts'
