import type { Command } from './commands.ts';
import { compareResponse, compareUsage } from './compare-response.ts';
import { FeedReader, type Seqs } from './feed-reader.ts';
import type { Player } from './player.ts';
import { restStep } from './rest-step.ts';
import { hasTool, toolStep } from './tool-step.ts';
import { WorkspaceModel } from './workspace-model.ts';

/**
 * Sends each command to the model and to the service, over REST or by a tool. Compares every response, then the
 * whole workspace.
 * @throws AssertionError that names the command where they differ.
 */
export async function play(commands: readonly Command[], players: readonly [Player, Player]): Promise<void> {
  const model = new WorkspaceModel(players[0]['account-wide'].workspace.id);
  const seqs: Seqs = new Map();
  const feeds = [
    new FeedReader(players[0]['account-wide'], model, seqs),
    new FeedReader(players[1]['account-wide'], model, seqs),
  ] as const;
  for (const [index, command] of commands.entries()) {
    await step(command, model, players, feeds).catch((error: unknown) => {
      throw new Error(`command ${index}, ${JSON.stringify(command).slice(0, 300)}: ${messageOf(error)}`, {
        cause: error,
      });
    });
  }
  for (const feed of feeds) await feed.compareAll();
  for (const {
    'account-wide': { workspace, actor },
  } of players) {
    compareResponse(await workspace.query('list'), model.list(actor, ''));
    compareResponse(await workspace.query('list', { details: 1 }), model.list(actor, '', true));
    for (const path of model.pathsEver()) {
      compareResponse(await workspace.query('versions', { path }), model.versions(actor, path));
    }
  }
  await compareUsage(players[0]['account-wide'].workspace, model);
}

async function step(
  command: Command,
  model: WorkspaceModel,
  players: readonly [Player, Player],
  feeds: readonly [FeedReader, FeedReader],
): Promise<void> {
  const number = command.actor === 1 ? 1 : 0;
  const { surface, key } = command.via;
  const caller = players[number][key];
  if (surface === 'rest' || !hasTool(command)) return restStep(command, model, caller, feeds[number]);
  return toolStep(command, model, caller, surface);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
