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

/** Shows a key once. Only its button closes the dialog; Escape asks first. */
export function KeyCreatedDialog({ created, onStored }: { readonly created: CreatedKey; onStored(): void }) {
  const snippets = keySnippets(location.origin, created.key);
  const [program, setProgram] = useState(tabOf(snippets[0]?.program ?? ''));
  const openers = useContext(DialogOpeners) ?? [];
  /** The openers of the question whether the key is stored; null while it is not shown. */
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

/** Makes a valid id part, without spaces. */
function tabOf(program: string): string {
  return program.toLowerCase().replaceAll(' ', '-');
}
