export { type ApplicationType, applicationTypes, isRedirectUrl } from './application.ts'
export { recordCommand } from './audit.ts'
export { buyerOf, mergingBuyers, type Named, namedByCustomerId, refuseOtherRequester } from './buyer.ts'
export { changeMember } from './change-member.ts'
export { emailOf } from './client.ts'
export { clientRecords } from './client-records.ts'
export { createMember } from './create-member.ts'
export { deactivateMember } from './deactivate-member.ts'
export { joinLink } from './invitation.ts'
export { inviteMember } from './invite-member.ts'
export { forgetOldRecords } from './jobs.ts'
export { forgetSessions } from './forget-sessions.ts'
export { issueKey } from './issue-key.ts'
export { newPassword, type Role, roles } from './member.ts'
export { oauthReference } from './oauth/reference.ts'
export { forgetTokens } from './oauth/purge.ts'
export { Passwords } from './password.ts'
export { reactivateMember } from './reactivate-member.ts'
export { openIdentity } from './open-identity.ts'
export type { Owners } from './register-client.ts'
export { registerApplication } from './register-application.ts'
export { revokeKey } from './revoke-key.ts'
export { longestOverlapSeconds, rotateKey } from './rotate-key.ts'
export {
  findApplication,
  findApplicationByName,
  hasApplications,
  listApplications,
  listKeys,
} from './store/applications.ts'
export { findMemberByEmail, hasMembers, listMembers } from './store/members.ts'
export { setMemberPassword } from './set-member-password.ts'
export { verifiesSecret } from './verifies-secret.ts'
