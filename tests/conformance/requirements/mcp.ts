import { due } from './requirement.ts';

/** The tools that a key sees, the workspace it acts in, and the form of results. */
export const mcpTools = due('mcp', {
  'mcp.sets.account-wide': 'An account-wide key lists all 22 tools.',
  'mcp.sets.workspace-id':
    'With an account-wide key every tool but list_workspaces and create_workspace takes a required string workspaceId.',
  'mcp.sets.scoped': 'A scoped key lists the same tools without list_workspaces and create_workspace.',
  'mcp.sets.scoped-parameters': 'For a scoped key no tool has a workspaceId.',
  'mcp.sets.scoped-acts': "Every call of a scoped key acts on the key's workspace.",
  'mcp.sets.scoped-elsewhere': 'A scoped key that names another workspace is rejected with the text of REST.',
  'mcp.sets.scoped-calls': 'A scoped key cannot call a tool that is not in its list.',
  'mcp.sets.membership': 'Membership is checked on every call.',
  'mcp.sets.ended-key':
    'A call whose key is revoked while its message is being sent changes nothing and says why.',
  'mcp.sets.unknown-workspace': 'A workspaceId that is unknown or missing is a hard error that says so.',
  'mcp.sets.unknown-tool': 'An unknown tool is a protocol error, invalid params, and not a result.',
  'mcp.sets.annotations': 'Every tool says in its annotations what it does to the workspace.',
  'mcp.results.both': 'Most tools return a text summary and structuredContent.',
  'mcp.results.text-says-all': 'The text says every fact that structuredContent has.',
  'mcp.results.text-only':
    'list_files, move_file, delete_file, set_file_icon, set_private and revoke_share return text alone.',
  'mcp.results.hard-error': 'A hard error sets isError, has no data, and its text says what is wrong.',
  'mcp.results.next-step': 'A hard error says what to do next.',
  'mcp.results.recoverable': 'A recoverable outcome is data with ok false, and not an error.',
  'mcp.results.not-found': 'A hidden item is reported exactly like a missing one.',
  'mcp.results.malformed': 'Malformed input is a hard error that names the argument.',
  'mcp.results.required': 'A missing required argument is a hard error that names it.',
  'mcp.results.ignored':
    'Arguments that a tool does not know are named in text and data, with those that it takes.',
  'mcp.results.text-values': 'Numbers and booleans may come as text, and file_path for path.',
  'mcp.results.folder': 'A folder given as a file is reported as a folder, with the tool to call instead.',
  'mcp.results.did-you-mean': 'An error for a path that is nearly right suggests paths that the caller sees.',
  'mcp.results.next': 'An outcome with ok false, and an empty result, have the advice of the text as next.',
  'mcp.results.nulls': 'Null for an optional argument counts as omitted.',
  'mcp.lapsed.refused': 'In a read-only workspace writes, restores, threads and replies are hard errors.',
  'mcp.lapsed.allowed': 'In a read-only workspace reading, moving, deleting and resolving still work.',
});

/** The user and key that a change is recorded for. */
export const mcpAttribution = due('mcp', {
  'mcp.attribution.principal': "A write, move, delete or restore is recorded with the key's actor type.",
  'mcp.attribution.key': "A change is recorded with the key's id, its name, and the key's owner.",
  'mcp.attribution.comments': 'A thread, a reply and a resolution are recorded with the key that made them.',
});

/** The instructions that an agent's client gets when it connects. */
export const mcpInstructions = due('mcp', {
  'mcp.instructions.delivered': 'Instructions are delivered to clients of both protocol eras.',
  'mcp.instructions.key':
    "They begin with the key's owner, its workspace and its limits; a key with a path is not sent to AGENTS.md.",
  'mcp.instructions.files':
    'They say: a shared workspace of plain bytes, and markdown may have front matter.',
  'mcp.instructions.agents-md':
    'They say: read AGENTS.md at the root first; it holds conventions or a setup guide.',
  'mcp.instructions.front-matter':
    'They name date, view: calendar and title, and the files that the latter two belong in.',
  'mcp.instructions.comments':
    'They say that the server stores comments, and that only comment tools show them.',
  'mcp.instructions.addressing': 'They give the five steps to address comments, in order.',
  'mcp.instructions.not-fixed': 'They say: reply to a comment that was not fixed, do not resolve it.',
  'mcp.instructions.outdated': 'They say how to see what a thread that is not anchored was about.',
  'mcp.instructions.asking': 'They say that add_comment asks, with a quote.',
  'mcp.instructions.size': 'They fit the 2,048 characters at which clients cut.',
});

/** Workspace tools. */
export const mcpWorkspaces = due('mcp', {
  'mcp.list-workspaces': "list_workspaces returns id and name of each of the caller's workspaces.",
  'mcp.list-workspaces.own': 'It names no workspace that the caller is not a member of.',
  'mcp.create-workspace': 'create_workspace returns id and name of a workspace that the caller owns alone.',
  'mcp.create-workspace.look': 'It takes an icon and one of the eight colors.',
  'mcp.create-workspace.name': 'Its name is required and has 1 to 100 characters.',
  'mcp.create-workspace.allowance': "Over the plan's allowance it is a hard error that names the limit.",
  'mcp.set-workspace': 'set_workspace changes the given fields and returns id, name, icon, color and theme.',
  'mcp.set-workspace.optional': 'Omitted fields stay as they are.',
  'mcp.set-workspace.clears': 'An empty string clears icon, color or theme.',
  'mcp.set-workspace.empty-name': 'An empty name is ignored.',
  'mcp.set-workspace.values': 'An unknown color or theme, or a name over 100 characters, is rejected.',
  'mcp.image-icon': 'set_workspace_image_icon returns id, name and the icon that the image became.',
  'mcp.image-icon.types': 'It takes PNG, JPEG, GIF and WebP in base64, and nothing else.',
  'mcp.image-icon.limit': 'It takes 1 MiB and not a byte more.',
  'mcp.usage': 'get_usage returns exactly the seven fields of usage.',
  'mcp.usage.history':
    'In the extended set get_usage also has the bytes of earlier versions and their limit.',
  'mcp.usage.unlimited': 'Limits and remaining values are null when there is none.',
  'mcp.usage.warning': 'The warning comes on at 90 % of the files.',
});

/** Paths in arguments. */
export const mcpPaths = due('mcp', {
  'mcp.paths.ignored': 'A leading slash and . segments are ignored.',
  'mcp.paths.refused':
    'A .. segment, a backslash, a null byte and an empty path are rejected with a text that begins "Invalid path: ".',
  'mcp.paths.every-tool': 'Every tool that takes a path rejects a bad one in the same way.',
  'mcp.paths.prefix': 'A prefix is rejected for the same reasons, but may be empty.',
  'mcp.paths.dots': 'Dots inside a name are a name.',
  'mcp.paths.as-rest': 'A path that REST rejects is rejected, with the reason.',
});
