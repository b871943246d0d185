import type { CreatedKey } from '@stoa/contract';
import { useContext, useState } from 'react';
import { keys as texts } from '../text/en/keys.ts';
import { notices } from '../text/en/notices.ts';
import { Button } from '../ui/Button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { AlertDialog, Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { DialogOpeners } from '../ui/dialog-opener.ts';
import { Field, TextArea } from '../ui/Field.tsx';
import { Tabs } from '../ui/Tabs.tsx';
import '../ui/page.css';
import { keySnippets } from './key-snippets.ts';

/** The one time that a key is shown: only its button closes it, and Escape asks. */
export function KeyCreatedDialog({ created, onStored }: { readonly created: CreatedKey; onStored(): void }) {
  const snippets = keySnippets(location.origin, created.key);
  const [program, setProgram] = useState(tabOf(snippets[0]?.program ?? ''));
  const openers = useContext(DialogOpeners) ?? [];
  /** What had the focus when it was asked whether the key is stored; null while it is not. */
  const [askedFrom, setAskedFrom] = useState<readonly HTMLElement[] | null>(null);
  return (
    <>
      <Dialog
        title={texts.createdTitle}
        description={texts.createdText}
        size="medium"
        onClose={() => {
          const { activeElement } = document;
          setAskedFrom(activeElement instanceof HTMLElement ? [activeElement] : []);
        }}
      >
        <div className="page-copy-row">
          <Field
            label={texts.apiKey}
            value={created.key}
            readOnly
            spellCheck={false}
            onFocus={(event) => event.target.select()}
          />
          <Button icon="copy" onClick={() => copyText(created.key, texts.keyCopied)}>
            {texts.copyKey}
          </Button>
        </div>
        <Tabs
          label={texts.programs}
          value={program}
          onChange={setProgram}
          tabs={snippets.map((snippet) => ({
            value: tabOf(snippet.program),
            label: snippet.program,
            content: (
              <div className="page-form page-code">
                <TextArea
                  label={texts.configuration}
                  value={snippet.text}
                  readOnly
                  spellCheck={false}
                  rows={Math.min(16, snippet.text.split('\n').length + 1)}
                />
                <div>
                  <Button icon="copy" onClick={() => copyText(snippet.text, notices.copied)}>
                    {texts.copyConfiguration}
                  </Button>
                </div>
              </div>
            ),
          }))}
        />
        <DialogButtons>
          <Button kind="primary" onClick={onStored}>
            {texts.stored}
          </Button>
        </DialogButtons>
      </Dialog>
      {askedFrom === null ? null : (
        <DialogOpeners value={[...askedFrom, ...openers]}>
          <AlertDialog
            title={texts.storedQuestion}
            text={texts.storedQuestionText}
            action={texts.stored}
            cancel={texts.showAgain}
            onAction={onStored}
            onCancel={() => setAskedFrom(null)}
          />
        </DialogOpeners>
      )}
    </>
  );
}

/** The value becomes part of an id, which holds no spaces. */
function tabOf(program: string): string {
  return program.toLowerCase().replaceAll(' ', '-');
}
