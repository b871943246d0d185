import { sizeText } from '@stoa/core';
import { useState } from 'react';
import { nameOf } from '../api/listing-index.ts';
import { files as texts } from '../text/en/files.ts';
import { visibleName } from '../text/visible-name.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Choice.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { Time } from '../ui/Time.tsx';
import type { TakenChoice, UploadLine } from './upload-queue.ts';
import type { Uploads } from './uploads.ts';

/** Compares the existing and the new file side by side. Escape skips this one. */
export function NameTakenDialog({
  line,
  others,
  uploads,
}: {
  readonly line: UploadLine;
  readonly others: number;
  readonly uploads: Uploads;
}) {
  const [forTheRest, setForTheRest] = useState(false);
  if (line.phase.kind !== 'asking') return null;
  const { existing } = line.phase;
  const choose = (choice: TakenChoice) => uploads.choose(line.id, choice, forTheRest);
  const incoming = { size: line.size, changedAt: line.modifiedAt };
  return (
    <Dialog
      title={texts.alreadyHere(visibleName(nameOf(line.path)))}
      size="medium"
      onClose={() => uploads.choose(line.id, 'skip', false)}
    >
      <div className="taken">
        <Side title={texts.existing} facts={existing} other={incoming} />
        <Side title={texts.incoming} facts={incoming} other={existing} />
      </div>
      {others === 0 ? null : (
        <Checkbox label={texts.forTheOthers(others)} checked={forTheRest} onChange={setForTheRest} />
      )}
      <DialogButtons>
        <Button onClick={() => choose('skip')}>{texts.skip}</Button>
        <Button onClick={() => choose('keep_both')}>{texts.keepBoth}</Button>
        <Button kind="primary" onClick={() => choose('replace')}>
          {texts.replace}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface Facts {
  readonly size: number;
  readonly changedAt: number;
}

/** Emphasises the larger size and the later time, which help to decide. */
function Side({
  title,
  facts,
  other,
}: {
  readonly title: string;
  readonly facts: Facts;
  readonly other: Facts;
}) {
  const size = sizeText(facts.size);
  return (
    <section className="taken-side" aria-label={title}>
      <h3>{title}</h3>
      <p>{facts.size > other.size ? <strong>{size}</strong> : size}</p>
      {facts.changedAt === 0 ? null : (
        <p>
          {facts.changedAt > other.changedAt && other.changedAt > 0 ? (
            <strong>
              <Time at={facts.changedAt} />
            </strong>
          ) : (
            <Time at={facts.changedAt} />
          )}
        </p>
      )}
    </section>
  );
}
