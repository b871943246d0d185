import type { ContentHash } from '@stoa/core';

/** What of a file's front matter is used. At least one of them is there. */
export interface FrontMatter {
  /** A real day as `YYYY-MM-DD`, without a time zone. */
  readonly date: string | null;
  readonly title: string | null;
  readonly view: 'calendar' | null;
}

/** What a content begins with: its front matter, or null where it has none. Unread: nobody came to look yet. */
export type FrontMatterReading =
  | { readonly kind: 'read'; readonly frontMatter: FrontMatter | null }
  | { readonly kind: 'unread' };

export interface UnreadContent {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
}

export interface FrontMatterReader {
  /** Contents that nobody has looked at, after `after` by workspace and hash (null: from the start), at most `limit`. */
  unread(
    after: Pick<UnreadContent, 'workspaceId' | 'contentHash'> | null,
    limit: number,
  ): Promise<readonly UnreadContent[]>;
}

export interface FrontMatterWriter {
  /** Nothing changes where it is kept already: a content has the same front matter for ever. */
  keepFrontMatter(workspaceId: string, contentHash: ContentHash, frontMatter: FrontMatter): Promise<void>;
  /** The content will be among the unread. */
  leaveUnread(workspaceId: string, contentHash: ContentHash): Promise<void>;
  /** The content is not among the unread any more. */
  noteRead(workspaceId: string, contentHash: ContentHash): Promise<void>;
}
