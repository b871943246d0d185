import { after, before, describe } from 'node:test';
import type { MetadataStore } from '../../src/service/ports/metadata-store.ts';
import { auditCases } from './cases/audit-cases.ts';
import { commentCases } from './cases/comment-cases.ts';
import { credentialCases } from './cases/credential-cases.ts';
import { feedCases } from './cases/feed-cases.ts';
import { fileCases } from './cases/file-cases.ts';
import { frontMatterCases } from './cases/front-matter-cases.ts';
import { orderCases } from './cases/order-cases.ts';
import { scrubCases } from './cases/scrub-cases.ts';
import { sharedStateCases } from './cases/shared-state-cases.ts';
import { textCases } from './cases/text-cases.ts';
import { transactionCases } from './cases/transaction-cases.ts';
import { visibilityCases } from './cases/visibility-cases.ts';
import { workspaceCases } from './cases/workspace-cases.ts';

export interface OpenedStore extends AsyncDisposable {
  readonly store: MetadataStore;
}

/** Tests for every store, whatever its database. `open` returns an empty store with the tests' scripts. */
export function metadataStoreSuite(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore;
    before(async () => {
      opened = await open();
    });
    after(async () => {
      await opened[Symbol.asyncDispose]();
    });
    const store = () => opened.store;
    describe('transactions', () => transactionCases(store, open));
    describe('workspaces', () => workspaceCases(store));
    describe('files', () => fileCases(store));
    describe('front matter', () => frontMatterCases(store));
    describe('order of paths', () => orderCases(store));
    describe('visibility', () => visibilityCases(store));
    describe('feed', () => feedCases(store));
    describe('comments', () => commentCases(store));
    describe('bytes that are read again', () => scrubCases(store));
    describe('texts', () => textCases(store));
    describe('audit log', () => auditCases(store));
    describe('shared state of nodes', () => sharedStateCases(store));
    describe('keys, people and limits', () => credentialCases(store, open));
  });
}
