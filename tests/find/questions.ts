/** Searches as people type them, each with the file that they want to see first. They are older than the ranking. */

export interface Question {
  readonly query: string;
  readonly wanted: string;
  readonly kind: 'name' | 'title' | 'words' | 'phrase' | 'code' | 'cjk' | 'filter';
}

export const questions: readonly Question[] = [
  { kind: 'name', query: 'budget 2026', wanted: 'notes/budget-2026.md' },
  { kind: 'name', query: 'lantern tr', wanted: 'rfc/rfc9901-lantern-bulk-transfer.txt' },
  { kind: 'name', query: 'rfc9904', wanted: 'rfc/rfc9904-gap-tolerant-time-stamps.txt' },
  { kind: 'name', query: 'foldsync', wanted: 'man/foldsync.1.txt' },
  { kind: 'name', query: 'shore.conf', wanted: 'man/shore.conf.5.txt' },
  { kind: 'name', query: 'sendai', wanted: 'notes/travel/sendai-visit.md' },
  { kind: 'name', query: 'prufprotokoll drucks', wanted: 'de/Prüfprotokoll Drucksensor.txt' },
  { kind: 'name', query: 'MockAgent', wanted: 'packages/undici/docs/docs/api/MockAgent.md' },
  { kind: 'name', query: 'Reply.md', wanted: 'packages/fastify/docs/Reference/Reply.md' },
  { kind: 'name', query: 'worker_threads', wanted: 'packages/@types/node/worker_threads.d.ts' },
  { kind: 'name', query: 'cors readme', wanted: 'packages/cors/README.md' },

  { kind: 'title', query: 'pressure drift', wanted: 'notes/calibration/pressure-sensor-drift.md' },
  { kind: 'title', query: 'salt bath', wanted: 'notes/calibration/salt-bath-procedure.md' },
  { kind: 'title', query: 'aussenstation wartung', wanted: 'de/Wartung Außenstation Büsum.md' },
  { kind: 'title', query: 'conflicted copies', wanted: 'stoa/docs/interface/conflicted-copies.md' },
  { kind: 'title', query: 'export format', wanted: 'stoa/docs/export-format.md' },
  { kind: 'title', query: 'ssr streaming', wanted: 'packages/@tanstack/router-core/src/ssr/STREAMING.md' },
  {
    kind: 'title',
    query: 'code splitting',
    wanted: 'packages/@tanstack/router-core/skills/router-core/code-splitting/SKILL.md',
  },
  {
    kind: 'title',
    query: 'client certificate',
    wanted: 'packages/undici/docs/docs/best-practices/client-certificate.md',
  },
  { kind: 'title', query: 'timing safe compare', wanted: 'packages/tsscmp/README.md' },

  { kind: 'words', query: 'launch budget', wanted: 'notes/product/logger-mk4-launch.md' },
  { kind: 'words', query: 'battery winter silent', wanted: 'notes/support/loggers-stop-in-winter.md' },
  { kind: 'words', query: 'boat nieuwpoort firmware', wanted: 'rfc/rfc9902-lease-tokens.txt' },
  { kind: 'words', query: 'lentil soup', wanted: 'notes/kitchen-rota.md' },
  { kind: 'words', query: 'watchdog', wanted: 'meetings/2026-04-13-firmware-review.md' },
  { kind: 'words', query: 'huitres pecheur', wanted: 'fr/Campagne de mesures été 2026.txt' },
  { kind: 'words', query: 'jitter backoff', wanted: 'rfc/rfc9905-backoff-for-shared-channels.txt' },
  { kind: 'words', query: 'log rotation', wanted: 'packages/pino/docs/help.md' },
  { kind: 'words', query: 'caret ranges semver', wanted: 'packages/semver/README.md' },
  { kind: 'words', query: 'prometheus histogram buck', wanted: 'packages/prom-client/README.md' },
  { kind: 'words', query: 'serverless lambda', wanted: 'packages/fastify/docs/Guides/Serverless.md' },
  { kind: 'words', query: 'broken connections', wanted: 'packages/ws/README.md' },
  { kind: 'words', query: 'decorate request reply', wanted: 'packages/fastify/docs/Reference/Decorators.md' },
  { kind: 'words', query: 'stale lock file', wanted: 'packages/proper-lockfile/README.md' },

  { kind: 'phrase', query: '"fencing number"', wanted: 'rfc/rfc9902-lease-tokens.txt' },
  { kind: 'phrase', query: '"poison job"', wanted: 'man/queuectl.8.txt' },
  { kind: 'phrase', query: '"spring tides"', wanted: 'notes/reading-tide-tables.md' },
  { kind: 'phrase', query: '"Handbreit Wasser"', wanted: 'de/Grüße zum Jahresende.txt' },
  {
    kind: 'phrase',
    query: `"hitchhiker's guide" plugins`,
    wanted: 'packages/fastify/docs/Guides/Plugins-Guide.md',
  },
  { kind: 'phrase', query: 'pino "long term support"', wanted: 'packages/pino/docs/lts.md' },

  { kind: 'code', query: 'TernarySearchTree', wanted: 'packages/undici/lib/core/tree.js' },
  { kind: 'code', query: 'suggest similar', wanted: 'packages/commander/lib/suggestSimilar.js' },
  { kind: 'code', query: 'fourOhFour', wanted: 'packages/fastify/lib/four-oh-four.js' },
  { kind: 'code', query: 'mtime precision', wanted: 'packages/proper-lockfile/lib/mtime-precision.js' },
  { kind: 'code', query: 'BalancedPool', wanted: 'packages/undici/lib/dispatcher/balanced-pool.js' },
  { kind: 'code', query: 'PartialDeep', wanted: 'packages/type-fest/source/partial-deep.d.ts' },

  { kind: 'cjk', query: '取扱説明書', wanted: 'ja/潮位計取扱説明書.md' },
  { kind: 'cjk', query: '津波', wanted: 'ja/よくある質問.md' },
  { kind: 'cjk', query: 'インストール biome', wanted: 'packages/@biomejs/biome/README.ja.md' },
  { kind: 'cjk', query: '招标 培训', wanted: 'zh/厦门会议纪要.txt' },
  { kind: 'cjk', query: '배터리 교체', wanted: 'ko/배터리 교체 안내.txt' },
  { kind: 'cjk', query: '조위계 부두', wanted: 'ko/부산 설치 계획.md' },
  { kind: 'cjk', query: 'สึนามิ', wanted: 'th/บันทึกการประชุมภูเก็ต.txt' },

  { kind: 'filter', query: 'tag:hiring interv', wanted: 'notes/hiring/interview-questions.md' },
  { kind: 'filter', query: 'in:meetings/ budget', wanted: 'meetings/2026-01-12-board.md' },
  {
    kind: 'filter',
    query: 'in:packages/fastify/ type:md hooks',
    wanted: 'packages/fastify/docs/Reference/Hooks.md',
  },
  {
    kind: 'filter',
    query: 'is:conflict budget',
    wanted: 'notes/budget-2026 (conflicted copy 2026-03-14 101502 Mara).md',
  },
  { kind: 'filter', query: 'websocket type:md -undici', wanted: 'packages/ws/README.md' },
  { kind: 'filter', query: 'lora OR satellite stations', wanted: 'notes/decisions/lora-or-satellite.md' },
  { kind: 'filter', query: 'type:image pino banner', wanted: 'packages/pino/pino-banner.png' },
];
