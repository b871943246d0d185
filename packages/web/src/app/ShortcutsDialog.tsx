import { useStore } from '../store/store.ts';
import { shortcuts as texts } from '../text/en/shortcuts.ts';
import { ui } from '../text/en/ui.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogButtons } from '../ui/Dialog.tsx';
import { keysText } from '../ui/keys.ts';
import { singleKeys } from '../ui/single-keys.ts';
import { shortcutSections } from './shortcut-table.ts';
import './shortcuts-dialog.css';

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const singleKeysWork = useStore(singleKeys);
  return (
    <Dialog title={texts.title} size="large" onClose={onClose}>
      {singleKeysWork ? null : <p>{texts.singleKeysAreOff}</p>}
      <div className="shortcuts-tables">
        {shortcutSections.map((section) => (
          <table key={section.title} className="shortcuts-table">
            <caption>{section.title}</caption>
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{texts.keys}</th>
                <th scope="col">{texts.does}</th>
              </tr>
            </thead>
            <tbody>
              {section.rows.map((row) => (
                <tr key={row.does}>
                  <td>
                    {row.keys.map((keys) => (
                      <kbd key={keys}>{keysText(keys)}</kbd>
                    ))}
                  </td>
                  <td>{row.does}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <DialogButtons>
        <Button onClick={onClose}>{ui.close}</Button>
      </DialogButtons>
    </Dialog>
  );
}
