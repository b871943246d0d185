import { jsonOf, textAt } from '../support/response.ts';
import type { Put } from '../support/workspace-client.ts';
import { chooseCopy, choosePath, choosePrecondition, chooseSeen, chooseVersion } from './choose.ts';
import { type Command, contentOf } from './commands.ts';
import {
  compareContentSearch,
  compareFind,
  compareResponse,
  compareSearch,
  compareUsage,
} from './compare-response.ts';
import type { FeedReader } from './feed-reader.ts';
import type { Caller } from './player.ts';
import { type Precondition, sha256 } from './workspace/facts.ts';
import type { WorkspaceModel } from './workspace-model.ts';

/** Sends a command over REST and compares the response with the model's. */
export async function restStep(
  command: Command,
  model: WorkspaceModel,
  { actor, workspace }: Caller,
  feed: FeedReader,
): Promise<void> {
  switch (command.kind) {
    case 'put': {
      const { contentType, rejectStale: reject, allowEmpty } = command;
      const content = contentOf(command.content);
      const path = choosePath(command.path, model);
      const precondition = choosePrecondition(command, model, path);
      const put = {
        ...putOf(precondition, contentType),
        ...(reject ? { conflict: 'refuse' } : {}),
        ...(allowEmpty ? { allowEmpty: '1' } : {}),
      };
      const response = await workspace.put(path, content, put);
      const copy = response.status === 412 && !reject ? textAt(jsonOf(response), 'conflict_copy_path') : null;
      const write = { path, content, contentType, precondition };
      return compareResponse(
        response,
        model.put(actor, write, copy, { rejectStale: reject, emptyAllowed: allowEmpty }),
      );
    }
    case 'delete': {
      const path = choosePath(command.path, model);
      const seen = chooseSeen(command, model, path);
      return compareResponse(
        await workspace.remove(path, seen?.version, seen?.hash ?? undefined),
        model.delete(actor, path, seen),
      );
    }
    case 'move': {
      const from = choosePath(command.from, model);
      const to = choosePath(command.to, model);
      // Skips a move into or out of its own name, because the interface does not define whether the source still
      // blocks it.
      if (from.startsWith(`${to}/`) || to.startsWith(`${from}/`)) return;
      const seen = chooseSeen(command, model, from);
      const base = seen === null ? {} : { baseVersion: seen.version };
      const hash = seen === null || seen.hash === null ? {} : { baseContentHash: seen.hash };
      return compareResponse(
        await workspace.post('move', { from, to, ...base, ...hash }),
        model.move(actor, from, to, seen),
      );
    }
    case 'move-folder': {
      const { files } = command;
      const from = choosePath(command.from, model);
      const to = choosePath(command.to, model);
      // Skips a move from a folder to the path of that folder: whether the moved files still block it is not
      // defined.
      if (files && from.startsWith(`${to}/`)) return;
      const response = await workspace.post('move-folder', { from, to, ...(files ? { files } : {}) });
      return compareResponse(response, model.moveFolder(actor, from, to, files));
    }
    case 'restore': {
      const path = choosePath(command.path, model);
      const { version, content } = command;
      const response = await workspace.post('restore', { path, targetVersion: version, ...holding(content) });
      return compareResponse(response, model.restore(actor, path, version, content));
    }
    case 'private': {
      const path = choosePath(command.path, model);
      const { node: kind, private: isPrivate } = command;
      const json = { path, kind, private: isPrivate };
      const response = await workspace.send('PUT', '/node-private', { json });
      return compareResponse(response, model.setPrivate(actor, path, kind, isPrivate));
    }
    case 'get': {
      const path = choosePath(command.path, model);
      const known = chooseVersion(command.known, model.versionOf(path));
      const headers: Record<string, string> = known === null ? {} : { 'if-none-match': `"${known}"` };
      return compareResponse(await workspace.get(path, { headers }), model.get(actor, path, known));
    }
    case 'version': {
      const path = choosePath(command.path, model);
      const { version, content } = command;
      return compareResponse(
        await workspace.query('version', { path, version, ...holding(content) }),
        model.readVersion(actor, path, version, content),
      );
    }
    case 'versions': {
      const path = choosePath(command.path, model);
      return compareResponse(await workspace.query('versions', { path }), model.versions(actor, path));
    }
    case 'list': {
      const { prefix } = command;
      compareResponse(await workspace.query('list', { prefix }), model.list(actor, prefix));
      const detailed = await workspace.query('list', { prefix, details: 1 });
      return compareResponse(detailed, model.list(actor, prefix, true));
    }
    case 'search':
      return compareSearch(
        await workspace.query('search', { q: command.query, limit: 200 }),
        model.search(actor, command.query),
      );
    case 'search-content': {
      const { text, matchCase, prefix, after } = command;
      const response = await workspace.query('search-content', {
        q: text,
        path: prefix,
        ...(matchCase ? { matchCase: 1 } : {}),
        ...(after === null ? {} : { after }),
      });
      return compareContentSearch(response, model.searchContent(actor, command));
    }
    case 'find': {
      const response = await workspace.query('find', { q: command.query, limit: 100 });
      return compareFind(response, model.find(actor, command.query));
    }
    case 'resolve': {
      const copy = chooseCopy(command.at, model);
      const { keep } = command;
      const response = await workspace.post('resolve-conflict', { copy, keep });
      return compareResponse(response, model.resolve(actor, copy, keep));
    }
    case 'changes':
      return feed.comparePage(command.after, command.limit);
    case 'usage':
      return compareUsage(workspace, model);
    case 'undo': {
      const { actorKeyId } = actor;
      const response = await workspace.post('undo', { actorKeyId, since: '2000-01-01T00:00:00Z' });
      return compareResponse(response, model.undo(actor));
    }
  }
}

function holding(content: string | null): { contentHash?: string } {
  return content === null ? {} : { contentHash: sha256(content) };
}

function putOf(precondition: Precondition, contentType: string | null): Put {
  const type = contentType === null ? {} : { contentType };
  switch (precondition.kind) {
    case 'none':
      return type;
    case 'absent':
      return { ...type, ifNoneMatch: '*' };
    case 'version':
      return {
        ...type,
        ifMatch: precondition.version,
        ...(precondition.hash === null ? {} : { ifContentHash: precondition.hash }),
      };
  }
}
