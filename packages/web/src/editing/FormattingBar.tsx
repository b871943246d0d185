import type { EditorView } from '@codemirror/view';
import { editing as texts } from '../text/en/editing.ts';
import { IconButton } from '../ui/Button.tsx';
import type { IconName } from '../ui/Icon.tsx';
import { type Formatting, formatting } from './formatting.ts';

const buttons: readonly { readonly kind: Formatting; readonly icon: IconName }[] = [
  { kind: 'bold', icon: 'bold' },
  { kind: 'italic', icon: 'italic' },
  { kind: 'strikethrough', icon: 'strikethrough' },
  { kind: 'code', icon: 'code' },
  { kind: 'link', icon: 'link' },
  { kind: 'heading', icon: 'heading' },
  { kind: 'list', icon: 'list' },
  { kind: 'taskList', icon: 'task-list' },
  { kind: 'quote', icon: 'quote' },
];

/** Formatting buttons for Markdown. On a phone the bar sits above the keyboard. */
export function FormattingBar({ view }: { readonly view: () => EditorView | null }) {
  return (
    <div role="toolbar" aria-label={texts.formattingBar} className="edit-formatting">
      {buttons.map(({ kind, icon }) => (
        <IconButton
          key={kind}
          icon={icon}
          name={texts.formatting[kind]}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            const editor = view();
            if (editor === null) return;
            formatting(kind)(editor);
            editor.focus();
          }}
        />
      ))}
    </div>
  );
}
