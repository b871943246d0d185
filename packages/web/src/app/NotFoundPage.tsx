import { NotFound } from '../ui/NotFound.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';

/** An address that the app does not know. */
export function NotFoundPage() {
  return (
    <PlainPage>
      <NotFound />
    </PlainPage>
  );
}

/** The same inside a workspace, whose frame stays. */
export function NotFoundHere() {
  return (
    <div className="not-found-here">
      <NotFound />
    </div>
  );
}
