/** Hard-wrapped, with a list, a table and a repeated phrase. */
export const plan = `# Launch plan

Owner: Mira. Last reviewed in March.

## Goals

We want the new sync client in the hands of every beta customer by June.
The p95 upload time must stay under 200 ms, also when the workspace holds
a million files.

Success means that support tickets about lost edits fall by half.

## Rollout

The rollout starts with ten friendly teams and widens every Monday. Each
wave waits for the error budget of the wave before. Nobody is moved to the
new client without a warning two days ahead.

- Draft the announcement
- Review the plan
- Book the demo room
- Review the plan with legal

## Risks

The old clients keep polling every two seconds. If they are not switched
off, the feed will carry twice the load.

| Risk | Owner | Status |
| --- | --- | --- |
| Double load | Jonas | open |
| Lost edits | Mira | open |

## Open questions

TODO: ask finance about the budget.

Who decides when a wave is rolled back?
`;

/** One line per paragraph, as web editors write it, with front matter and emphasis. */
export const essay = `---
title: Why we keep every version
date: 2026-05-04
---

# Why we keep every version

Storage is cheap and regret is expensive. When two people edit the same file, one of them loses, and the loser is usually the one who was offline. We decided that *nobody's bytes are thrown away*, ever.

The first design kept a single backup per file. It failed in the second week: an agent rewrote forty pages, a person rewrote them again, and the backup held neither of the two texts that mattered.

> A backup that keeps the wrong version is a comfort blanket, not a backup.

So each accepted write makes a new version, and a stale write is kept as a conflicted copy. The cost is easy to state: the store grows by the size of every edit. We measured it on our own workspace, and a year of daily work came to less than two gigabytes.

What remains is finding things again. A version list nobody can read is a landfill, so the list says who wrote each version, with which key, and when.
`;

/** Small items that look alike. */
export const standup = `# Stand-up notes

## Monday

### Alice

- Status: on track
- Blocked by: nothing

### Bob

- Status: on track
- Blocked by: the review of the storage layer

## Tuesday

### Alice

- Status: on track
- Blocked by: nothing

### Bob

- Status: at risk
- Blocked by: the review of the storage layer

## Actions

1. Measure the cold start
2. Write to the vendor
3. Close the old tickets
`;
