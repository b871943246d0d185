import { due } from './requirement.ts';

export const feedPages = due('feed', {
  'feed.shape': 'A page has changes, head and nextSeq.',
  'feed.record':
    'A change record has exactly its documented fields, and additive ones only where they apply.',
  'feed.since': 'Only changes after the cursor are returned, oldest first.',
  'feed.replay': 'A cursor of 0 replays everything.',
  'feed.no-cursor': 'Without a cursor the feed starts at the beginning.',
  'feed.increasing': 'Sequence numbers only increase.',
  'feed.head': 'head is the newest sequence number.',
  'feed.caught-up': 'At the end nextSeq equals head.',
  'feed.next': 'Following nextSeq page by page yields every change once.',
  'feed.limit': 'limit bounds a page.',
  'feed.limit-default': 'Without a limit a page scans 200 changes.',
  'feed.limit-zero': 'A limit of 0 returns head, no changes, and the given cursor, or 0.',
  'feed.limit-max': 'A limit above 1000 means 1000.',
  'feed.limit-malformed': 'A limit that is negative or not a whole number is 400.',
  'feed.cursor-malformed': 'A cursor that is negative or not a whole number is 400.',
  'feed.cursor-ahead': 'A cursor above head is an empty page with that cursor.',
  'feed.nothing-for-refusals': 'A rejected request leaves no change.',
  'feed.complete': 'Under concurrent writers every acknowledged change is in the feed exactly once.',
  'feed.read-your-write': 'A change is in the feed once its response arrives.',
  'feed.wait': 'A waiting request returns as soon as there is a change.',
  'feed.wait-timeout': 'A waiting request without changes ends with an empty page.',
});

export const feedOperations = due('feed', {
  'feed.op.write': 'Creating, updating and recreating a file is a write with its version and hash.',
  'feed.op.delete': 'Deleting is a delete with the deleted version and no hash.',
  'feed.op.move':
    'Moving is a delete at the old path and, next to it, a move at the new one with version 1 and the hash.',
  'feed.op.moved-from': 'A move names where the file came from.',
  'feed.op.conflict':
    'A conflicted copy is a conflict at its path, version 1, without a hash, naming the file it lost to.',
  'feed.op.restore': 'Restoring is a restore with the new version and the hash.',
  'feed.actor.key': "A change made with a key names the key's principal, user, id and name.",
  'feed.actor.human-key': 'A human key is recorded as human and still names its id and label.',
  'feed.actor.session': "A person's change in the browser is human, without key and label.",
  'feed.actor.label-then': "The label is the key's name at the time of the change.",
  'feed.created-at': 'A change carries the time of the server in ISO 8601.',
});

export const feedByTime = due('feed', {
  'feed.time.since': 'since returns the changes after a moment, in order of time.',
  'feed.time.no-cursor': 'The mode by time has changes and head but no nextSeq.',
  'feed.time.desc': 'order=desc returns newest first.',
  'feed.time.strict': 'A change at exactly that moment is not returned.',
  'feed.time.limit': 'limit bounds the mode by time as well.',
  'feed.time.malformed': 'A time that is not an ISO 8601 timestamp is 400.',
});

export const feedOfPrivacy = due('feed', {
  'feed.private': "Another member's private changes are skipped, and nextSeq moves past them.",
  'feed.private-history': 'A change is hidden when its path was private then or is now.',
  'feed.op.access-revoked': 'Making an item private notifies those who lost it, and only them.',
  'feed.op.access-granted':
    'Sharing it again notifies those who gained it, and not the member who shared it.',
  'feed.access-record': 'Access events have no version and no hash.',
});

export const feedOfComments = due('feed', {
  'feed.comments-off': 'Comment changes appear only when they are asked for.',
  'feed.comments-on': 'includeComments of 1 or true adds them, in the mode by time as well.',
  'feed.op.comments': 'Starting, replying, resolving and reopening are changes of their own.',
  'feed.comment-version': "A comment's change carries the version of the file at that moment.",
});
