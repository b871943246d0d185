import { MarkdownView } from '../reading/MarkdownView.tsx';
import { SourceView } from '../reading/SourceView.tsx';
import { useParsed } from '../reading/use-parsed.ts';
import { reading } from '../text/en/reading.ts';
import { LoadingLines } from '../ui/States.tsx';

/** A markdown text, laid out. */
export function MarkdownMode({
  workspaceId,
  path,
  name,
  source,
}: {
  readonly workspaceId: string;
  readonly path: string;
  readonly name: string;
  readonly source: string;
}) {
  const state = useParsed(source);
  switch (state.kind) {
    case 'waiting':
      return <LoadingLines rows={12} />;
    case 'gave_up':
      return <SourceView name={name} text={source} note={reading.tooSlow} />;
    case 'parsed':
      return (
        <MarkdownView workspaceId={workspaceId} path={path} name={name} parsed={state.parsed} withOutline />
      );
  }
}
