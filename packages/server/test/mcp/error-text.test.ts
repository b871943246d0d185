import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorTable, errorText } from '@stoa/contract';
import { type ErrorCode, type ErrorDetails, WorkspaceError } from '@stoa/core';
import { rejectionText } from '../../src/mcp/error-text.ts';

/** The details that some errors have. */
const details: Partial<Record<ErrorCode, ErrorDetails>> = {
  file_too_large: { limitBytes: 400 },
  workspace_limit_exceeded: { used: 2, limit: 2 },
};
const codes = Object.keys(errorTable).filter((code): code is ErrorCode => Object.hasOwn(errorTable, code));

for (const code of codes) {
  test(`an agent gets ${code} in the words of REST, followed by what to do next`, () => {
    const error = new WorkspaceError(code, details[code] ?? {});
    const text = rejectionText(error);
    assert.ok(errorText(error).length > 0);
    // The list that REST speaks of is not a tool.
    const says = code === 'version_not_found' ? 'Version not found. Next: ' : errorText(error);
    assert.ok(text.startsWith(says), text);
    assert.doesNotMatch(text, /undefined|null|NaN|\[object/);
    assert.match(text, /^\S.*\S$/);
  });
}

test("an error's own words and its numbers reach the agent", () => {
  const path = new WorkspaceError('invalid_path', {}, 'backslashes are not allowed');
  assert.match(rejectionText(path), /^Invalid path: backslashes are not allowed\b.*notes\/plan\.md/);
  assert.match(rejectionText(new WorkspaceError('file_too_large', { limitBytes: 400 })), /\b400 bytes\b/);
  assert.match(
    rejectionText(new WorkspaceError('workspace_limit_exceeded', { used: 3, limit: 5 })),
    /\b3 of at most 5\b/,
  );
});

test('the most common errors name the tool to use next', () => {
  const next: Partial<Record<ErrorCode, RegExp>> = {
    file_not_found: /list_files/,
    thread_not_found: /list_comments/,
    share_not_found: /list_shares/,
    version_not_found: /read_file/,
    private_item: /set_private/,
    path_taken: /list_files/,
    workspace_limit_exceeded: /list_workspaces/,
  };
  for (const code of codes) {
    const says = next[code];
    if (says !== undefined)
      assert.match(rejectionText(new WorkspaceError(code, details[code] ?? {})), says, code);
  }
});
