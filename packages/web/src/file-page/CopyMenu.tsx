import { isMarkdown } from '@stoa/core';
import { fileAddress } from '../api/addresses.ts';
import { client } from '../api/client.ts';
import type { FileEntry } from '../api/listing-index.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ReadFile } from '../api/read-file.ts';
import { useWorkspaceRecord } from '../api/use-workspace.ts';
import { decodeText } from '../reading/decode-text.ts';
import { openDocumentAt } from '../saving/open-documents.ts';
import { notices } from '../text/en/notices.ts';
import { reading } from '../text/en/reading.ts';
import { ui } from '../text/en/ui.ts';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { Menu, type MenuEntry } from '../ui/Menu.tsx';
import { notify } from '../ui/notices.ts';

/** Copies of a file: its link, its path, its text, and a prompt for an agent. */
export function CopyMenu({
  workspaceId,
  entry,
}: {
  readonly workspaceId: string;
  readonly entry: FileEntry;
}) {
  const { path, contentType } = entry;
  const workspaceName = useWorkspaceRecord(workspaceId).data?.name ?? '';
  const entries: MenuEntry[] = [
    {
      kind: 'item',
      label: reading.copyLink,
      icon: 'link',
      onSelect: () => void copyText(location.origin + fileAddress(workspaceId, path), notices.linkCopied),
    },
    {
      kind: 'item',
      label: reading.copyPath,
      icon: 'file',
      onSelect: () => void copyText(path, notices.pathCopied),
    },
    ...(isMarkdown(path, contentType)
      ? [
          {
            kind: 'item',
            label: reading.copyMarkdown,
            icon: 'copy',
            onSelect: () => void copyMarkdown(workspaceId, path),
          } as const,
        ]
      : []),
    {
      kind: 'item',
      label: reading.copyPrompt,
      icon: 'agent',
      onSelect: () => void copyText(reading.prompt(workspaceName, workspaceId, path), notices.copied),
    },
  ];
  return (
    <Menu entries={entries} align="end">
      <Button icon="copy" className="file-page-copy">
        {reading.copy}
      </Button>
    </Menu>
  );
}

async function copyMarkdown(workspaceId: string, path: string): Promise<void> {
  try {
    await copyText(await textOf(workspaceId, path), notices.copied);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    notify({ text: ui.notPossible(reading.copyMarkdown, error.message), failure: true });
  }
}

async function textOf(workspaceId: string, path: string): Promise<string> {
  const typed = openDocumentAt(workspaceId, path);
  if (typed !== null) return typed.text;
  const shown = queryClient.getQueryData<ReadFile>(queryKeys.file(workspaceId, path));
  if (shown?.decoded.kind === 'text') return shown.decoded.text;
  const outcome = await client.readFile(workspaceId, path);
  const decoded = outcome.kind === 'file' ? decodeText(await outcome.bytes()) : null;
  if (decoded?.kind !== 'text') throw new Error(reading.notText);
  return decoded.text;
}
