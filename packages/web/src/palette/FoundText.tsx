import type { ExcerptPart } from './excerpt.ts';
import './find.css';

/** A text with its matches marked. */
export function FoundText({ parts }: { readonly parts: readonly ExcerptPart[] }) {
  return (
    <span className="find-text" dir="auto">
      {parts.map(({ text, isMatch }, at) => {
        const Tag = isMatch ? 'mark' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other identity
        return <Tag key={at}>{text}</Tag>;
      })}
    </span>
  );
}
