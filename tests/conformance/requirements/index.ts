import { access, keys, keysOfRemoved } from './access.ts';
import { comments } from './comments.ts';
import { device } from './device.ts';
import { errors, limits } from './errors-and-limits.ts';
import { feedByTime, feedOfComments, feedOfPrivacy, feedOperations, feedPages } from './feed.ts';
import { history } from './history.ts';
import { mcpAttribution, mcpInstructions, mcpPaths, mcpTools, mcpWorkspaces } from './mcp.ts';
import { mcpHistory, mcpNodes, mcpReading, mcpRestoreQuota, mcpWriting } from './mcp-files.ts';
import { mcpParts, mcpSets } from './mcp-parts.ts';
import { mcpComments, mcpReplies, mcpShares } from './mcp-sharing.ts';
import { mcpCredentials, mcpInterop, mcpRevisions, mcpTransport } from './mcp-transport.ts';
import { members } from './members.ts';
import { moves, movesOfPrivacy, movesOfShares, movesOfThreads } from './moves.ts';
import { pathRules } from './paths.ts';
import { privacy } from './privacy.ts';
import { contentTypes, listing, readingFiles } from './reading-files.ts';
import type { Requirement } from './requirement.ts';
import { contentSearch, find, search, searchOfPrivacy } from './search.ts';
import { shares } from './shares.ts';
import {
  account,
  nodes,
  nodesOfPrivacy,
  workspaceDownload,
  workspaceIcons,
  workspaces,
} from './workspaces.ts';
import { conflictedCopies, deletingFiles, writingFiles } from './writing-files.ts';

const met = [
  ...readingFiles,
  ...contentTypes,
  ...listing,
  ...writingFiles,
  ...conflictedCopies,
  ...deletingFiles,
  ...pathRules,
  ...history,
  ...moves,
  ...search,
  ...contentSearch,
  ...find,
  ...feedPages,
  ...feedOperations,
  ...feedByTime,
  ...access,
  ...keys,
  ...workspaces,
  ...nodes,
  ...account,
  ...errors,
  ...limits,
  ...members,
  ...keysOfRemoved,
  ...workspaceDownload,
  ...workspaceIcons,
  ...comments,
  ...movesOfThreads,
  ...feedOfComments,
  ...device,
  ...shares,
  ...movesOfShares,
  ...privacy,
  ...feedOfPrivacy,
  ...movesOfPrivacy,
  ...searchOfPrivacy,
  ...nodesOfPrivacy,
  ...mcpTools,
  ...mcpSets,
  ...mcpParts,
  ...mcpInstructions,
  ...mcpAttribution,
  ...mcpWorkspaces,
  ...mcpPaths,
  ...mcpReading,
  ...mcpWriting,
  ...mcpNodes,
  ...mcpRestoreQuota,
  ...mcpTransport,
  ...mcpCredentials,
  ...mcpRevisions,
  ...mcpInterop,
  ...mcpHistory,
  ...mcpShares,
  ...mcpReplies,
  ...mcpComments,
];

/** The ids of all current requirements. A test names the ids that it verifies. */
export type DueId = (typeof met)[number]['id'];

/** Everything that a client may rely on. */
export const manifest: readonly Requirement[] = met;
