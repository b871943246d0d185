import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playOnStoa } from '../../bench/agents/play-tasks.ts';
import { agentTasks } from '../../bench/agents/tasks.ts';
import { signUp } from '../support/people.ts';
import { useTarget } from '../support/target.ts';

/** The share of a task's many small files to create. The amount that an agent reads does not grow with their number. */
const share = 0.1;
const server = await useTarget();
const ada = await signUp(server);

for (const task of agentTasks) {
  const { calls, bytes } = task.ceiling;
  test(`to ${task.what} takes an agent at most ${calls} call${calls === 1 ? '' : 's'} and ${bytes} bytes`, async () => {
    const effort = await playOnStoa(server, ada, task, 'extended', share);
    assert.ok(effort !== null);
    assert.ok(effort.calls <= calls, JSON.stringify(effort));
    assert.ok(effort.bytesOut + effort.bytesIn <= bytes, JSON.stringify(effort));
  });
}
