import type { ContentHash } from '@stoa/core';

/** The parts of a file's front matter that are used. At least one of them is set. */
export interface FrontMatter {
  /** A valid day as `YYYY-MM-DD`, without a time zone. */
  readonly date: string | null;
  readonly title: string | null;
  readonly view: 'calendar' | null;
}

/** Result of parsing a content: its front matter, or null. Unread: not parsed yet. */
export type FrontMatterReading =
  | { readonly kind: 'read'; readonly frontMatter: FrontMatter | null }
  | { readonly kind: 'unread' };

export interface UnreadContent {
  readonly workspaceId: string;
  readonly contentHash: ContentHash;
  readonly sizeBytes: number;
}

export interface FrontMatterReader {
  /** Unparsed contents after `after` by workspace and hash (null: from the start), at most `limit`. */
  unread(
    after: Pick<UnreadContent, 'workspaceId' | 'contentHash'> | null,
    limit: number,
  ): Promise<readonly UnreadContent[]>;
}

export interface FrontMatterWriter {
  /** Has no effect when it is already stored: a content's front matter never changes. */
  keepFrontMatter(workspaceId: string, contentHash: ContentHash, frontMatter: FrontMatter): Promise<void>;
  /** Adds the content to the unread ones. */
  leaveUnread(workspaceId: string, contentHash: ContentHash): Promise<void>;
  /** Removes the content from the unread ones. */
  noteRead(workspaceId: string, contentHash: ContentHash): Promise<void>;
}
