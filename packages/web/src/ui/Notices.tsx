import { useEffect, useRef, useState } from 'react';
import { useStore } from '../store/store.ts';
import { ui } from '../text/en/ui.ts';
import { AppLink } from './AppLink.tsx';
import { Button, IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { announcement, closeNotice, lasts, type ShownNotice, shownNotices } from './notices.ts';
import './notices.css';

/** Long enough to read the notice and to reach Undo. */
const noticeMs = 8000;

export function Notices() {
  const notices = useStore(shownNotices);
  const said = useStore(announcement);
  return (
    // The live region must exist before its text: some screen readers do not announce a region that appears with its
    // text.
    <section
      className="ui-notices"
      aria-label={ui.notifications}
      aria-live="polite"
      aria-relevant="additions text"
    >
      {notices.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} />
      ))}
      <div className="visually-hidden">
        <span key={said.id}>{said.text}</span>
      </div>
    </section>
  );
}

function NoticeItem({ notice }: { readonly notice: ShownNotice }) {
  const { id, text, actions = [], links = [], failure = false } = notice;
  const [attended, setAttended] = useState(false);
  const stays = lasts(notice) || attended;
  const item = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => closeNotice(id), noticeMs);
    return () => clearTimeout(timer);
  }, [stays, id]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only detects that the user is reading
    <div
      ref={item}
      className="ui-notice"
      data-failure={failure ? true : undefined}
      onPointerEnter={() => setAttended(true)}
      onPointerLeave={() => setAttended(item.current?.contains(document.activeElement) ?? false)}
      onFocus={() => setAttended(true)}
      onBlur={(event) => setAttended(event.currentTarget.matches(':hover'))}
      role={failure ? 'alert' : 'status'}
    >
      {failure ? <Icon name="failure" /> : null}
      <span className="ui-notice-text">{text}</span>
      {links.map((link) => (
        <AppLink key={link.address} to={link.address}>
          {link.label}
        </AppLink>
      ))}
      {actions.map((action) => (
        <Button
          key={action.label}
          kind="quiet"
          onClick={() => {
            closeNotice(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      ))}
      <IconButton icon="close" name={ui.close} onClick={() => closeNotice(id)} />
    </div>
  );
}
