import { Time } from './Time.tsx';
import './page.css';

/** In a cell: who made it, and below that when. */
export function MadeBy({ name, at }: { readonly name: string; readonly at: string }) {
  return (
    <>
      <bdi>{name}</bdi>
      <span className="page-when">
        <Time at={at} />
      </span>
    </>
  );
}
