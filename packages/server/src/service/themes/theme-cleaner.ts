import { invalidRequest } from '@stoa/core';
import type { WorkerPool } from '../../concurrency/worker-pool.ts';
import type { ThemeAnswer } from './answer-theme.ts';

/** Takes everything out of theme CSS that could load, run or break out. */
export interface ThemeCleaner {
  /**
   * As `cleanThemeCss`, which says what stays.
   * @throws WorkspaceError `invalid_request` for CSS that cannot be read, `overloaded` when too many wait already.
   */
  clean(workspaceId: string, css: string): Promise<string | null>;
}

/** A parser takes long over hostile text, and must hold up nobody else's request: it runs in a worker. */
export function themeCleanerOf(pool: Pick<WorkerPool<string, ThemeAnswer>, 'ask'>): ThemeCleaner {
  return {
    async clean(workspaceId, css) {
      const outcome = await pool.ask(css, { keys: [workspaceId] });
      if (outcome.kind === 'exhausted') throw invalidRequest('themeCss: it takes too long to read');
      const { answer } = outcome;
      if (answer.kind === 'refused') throw invalidRequest(answer.text);
      return answer.css;
    },
  };
}
