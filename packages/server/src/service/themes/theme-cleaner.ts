import { invalidRequest } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { ThemeResponse } from './handle-theme.ts';

/** Removes everything from theme CSS that could load, run or break out. */
export interface ThemeCleaner {
  /**
   * As `cleanThemeCss`.
   * @throws WorkspaceError `invalid_request` for CSS that cannot be read, `overloaded` when the queue is full.
   */
  clean(workspaceId: string, css: string): Promise<string | null>;
}

/** Runs in a worker, because hostile text can keep a parser busy for long, which must not block other requests. */
export function themeCleanerOf(pool: Pick<WorkerPool<string, ThemeResponse>, 'ask'>): ThemeCleaner {
  return {
    async clean(workspaceId, css) {
      const outcome = await pool.ask(css, { keys: [workspaceId] });
      if (outcome.kind === 'exhausted') throw invalidRequest('themeCss: it takes too long to read');
      const { result: response } = outcome;
      if (response.kind === 'refused') throw invalidRequest(response.text);
      return response.css;
    },
  };
}
