import { owed } from './requirement.ts';

export const members = owed('members', 'members', {
  'members.invite': 'A member who may invite gets a link with an expiry of 7 days unless said otherwise.',
  'members.invite-expiry': 'An expiry outside 1 to 90 days is 400.',
  'members.invite-role': 'Only owners and admins invite.',
  'members.invite-preview':
    'Anyone with the link sees the workspace, who invited, until when, and whether it still works.',
  'members.invite-accept': 'A signed-in person joins by the link.',
  'members.invite-accept-again': 'Accepting twice is harmless and uses the link once.',
  'members.invite-unknown': 'An unknown link is 404.',
  'members.invite-used-up': 'An expired or used-up link is 410.',
  'members.invite-session-only': 'Inviting and accepting take a session.',
  'members.remove': 'Owners and admins remove members, with a session.',
  'members.remove-self': 'Anyone may leave.',
  'members.remove-last-owner': 'The last owner cannot be removed: 409.',
  'members.remove-owner-by-admin': 'An admin cannot remove an owner.',
  'members.role': 'An owner can change roles.',
});
