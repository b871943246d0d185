import { Time } from './Time.tsx';
import './page.css';

/** A table cell with the creator, and the time below. */
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
