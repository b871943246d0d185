import { NotFound } from '../ui/NotFound.tsx';
import { PlainPage } from '../ui/PlainPage.tsx';

/** The page for an unknown address. */
export function NotFoundPage() {
  return (
    <PlainPage>
      <NotFound />
    </PlainPage>
  );
}

/** The same inside a workspace's frame. */
export function NotFoundHere() {
  return (
    <div className="not-found-here">
      <NotFound />
    </div>
  );
}
