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
