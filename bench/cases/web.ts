import type { Browser, Page } from 'playwright-core';
import { readWebBundle } from '../../packages/web/test/support/web-bundle.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { atMost, type BenchCase, type Row } from '../bench-case.ts';
import { ratioOf, shareOf } from '../measure/ratio.ts';
import { startProgram } from '../sides/start-program.ts';
import { watchMainThread } from '../web/main-thread.ts';
import { makeControl } from '../web/make-control.ts';
import { type Desk, fill, type Line, openDesk, openPage } from '../web/open-desk.ts';
import { keyMs, scrolling, watchClick, watchKeys } from '../web/page-watch.ts';
import type { Workbench } from '../workbench.ts';

const roundsUsual = 5;
const slowLine: Line = { cpuTimesSlower: 4, megabitsPerSecond: 10, latencyMs: 40 };
const manyFiles = 10_000;
const mostFiles = 100_000;
// The speed of a quick typist, for long enough that the app keeps drafts and saves between the keys.
const keysTyped = 150;
const keyPauseMs = 80;
/** Chromium reports an event some time after its frame. */
const reportedMs = 500;
const scrollSeconds = 5;
const idleSeconds = 60;
const loadAheadMs = 10_000;
const rowsInDocumentMax = 80;
const markdownBytes = 1024 * 1024;
const untilMsMax = 60_000;
const queries = ['note', 'note 12', 'n0777', '9999', 'zzz'];

/** Measures waits in the app in a real browser. This case cannot fail: the limits are aims. */
export const web: BenchCase = {
  id: 'web',
  measures:
    'the web app in Chromium: first rows, large folders, large texts, finding, and what an idle tab asks for',
  async run({ workbench, rounds: asked }) {
    const found = await openDesk(workbench);
    if (found.kind === 'missing') return { rows: [notMeasured(found.reason)], raw: null };
    const { desk } = found;
    const rounds = asked < 3 ? asked : roundsUsual;
    const rows: Row[] = [];
    const raw: Record<string, unknown> = {};
    const report = (figure: string, unit: string, values: readonly number[], aim: number) => {
      raw[figure] = values;
      const result = { kind: 'ratio' as const, ratio: shareOf(values, aim) };
      rows.push({ figure, against: `${aim} ${unit}`.trim(), result, target: atMost(1) });
    };
    const times = async <Value>(round: () => Promise<Value>) => {
      // A first run that is not counted, to warm the server's caches and compilers.
      await round();
      return await Array.fromAsync({ length: rounds }, round);
    };

    const small = await desk.makeWorkspace();
    const names = Array.from({ length: 100 }, (_, index) => `note ${String(index).padStart(3, '0')}.md`);
    await fill(
      small,
      names.map((name) => `folder/${name}`),
    );
    const folder = `/w/${small.id}/d/folder`;
    const control = await startControl(workbench, desk.browser, names);
    const cold = await times(() => openFolder(desk.openPage, folder));
    const coldControl = await times(() => openStatic(control, undefined));
    const slow = await times(() => openFolder(() => desk.openPage(slowLine), folder));
    const slowControl = await times(() => openStatic(control, slowLine));
    report(
      'folder of 100 files, cold, first rows',
      'ms',
      cold.map(({ rowsMs }) => rowsMs),
      500,
    );
    report(
      'the same, slow machine and line',
      'ms',
      slow.map(({ rowsMs }) => rowsMs),
      1800,
    );
    report(
      'layout shift of a folder',
      '',
      cold.map(({ layoutShift }) => layoutShift),
      0.02,
    );
    report(
      'longest interaction with a folder',
      'ms',
      cold.map(({ longestEventMs }) => longestEventMs),
      100,
    );
    for (const [figure, app, page] of [
      ['folder of 100 files, cold, first rows', cold.map(({ rowsMs }) => rowsMs), coldControl],
      ['the same, slow machine and line', slow.map(({ rowsMs }) => rowsMs), slowControl],
    ] as const) {
      const ratio = ratioOf(app, page, (milliseconds) => milliseconds);
      const against = 'a finished page of the same bytes';
      rows.push({ figure, against, result: { kind: 'ratio', ratio }, target: null });
    }
    raw.control = { cold: coldControl, slow: slowControl };

    const large = await desk.makeWorkspace();
    await large.put('first.md', '# First\n');
    await desk.fillAtOnce(large, { copyOf: 'first.md', count: manyFiles, paths: "'note ' || n || '.md'" });
    const big = await times(() => openLarge(desk, `/w/${large.id}`));
    report(
      `${manyFiles} files, first rows`,
      'ms',
      big.map(({ rowsMs }) => rowsMs),
      600,
    );
    report(
      'frames over 20 ms while scrolling',
      'of all',
      big.map(({ late }) => late),
      0.02,
    );
    report(
      `${manyFiles} files, main thread until the first rows`,
      'ms of its own',
      big.map(({ openCpuMs }) => openCpuMs),
      300,
    );
    report(
      'main thread for a frame while scrolling',
      'ms of its own',
      big.map(({ frameCpuMs }) => frameCpuMs),
      16,
    );
    report(
      'rows in the document',
      'rows',
      big.map(({ rows: count }) => count),
      rowsInDocumentMax,
    );
    const finding = await times(() => find(desk, `/w/${large.id}`));
    report(
      'palette, key to open',
      'ms',
      finding.map(({ openMs }) => openMs),
      50,
    );
    report(
      `results over ${manyFiles} paths, p95`,
      'ms',
      finding.map(({ resultsMs }) => p95(resultsMs)),
      120,
    );

    const largest = await desk.makeWorkspace();
    await largest.put('first.md', '# First\n');
    const paths = "'folder ' || (n % 1000) || '/note ' || n || '.md'";
    await desk.fillAtOnce(largest, { copyOf: 'first.md', count: mostFiles, paths });
    const most = await times(() => openLarge(desk, `/w/${largest.id}`));
    report(
      `${mostFiles} files, first rows`,
      'ms',
      most.map(({ rowsMs }) => rowsMs),
      3000,
    );

    await small.put('large.md', largeMarkdown(), { contentType: 'text/markdown' });
    const reading = await times(() => read(desk, `/w/${small.id}`));
    report('1 MiB markdown, click to first screen', 'ms', reading, 700);
    const editing = await times(() => edit(desk, `/w/${small.id}/f/large.md`));
    report(
      '1 MiB markdown, Edit to caret',
      'ms',
      editing.map(({ openMs }) => openMs),
      400,
    );
    report(
      'key to paint in it, p95',
      'ms',
      editing.map(({ keysMs }) => p95(keysMs)),
      33,
    );
    report(
      'main thread for a key in it',
      'ms of its own',
      editing.map(({ keyCpuMs }) => keyCpuMs),
      16,
    );
    report('requests a minute of an idle tab', '', [await idleRequests(desk, folder, 'visible')], 3);
    report('requests a minute of a hidden tab', '', [await idleRequests(desk, folder, 'hidden')], 2);
    return { rows, raw };
  },
};

interface Opened {
  readonly rowsMs: number;
  readonly layoutShift: number;
  readonly longestEventMs: number;
}

/** Opens a folder with empty caches, then moves in it by keys and opens a menu. */
async function openFolder(open: () => Promise<Page>, address: string): Promise<Opened> {
  const page = await open();
  try {
    await page.goto(address, { waitUntil: 'commit' });
    const rowsMs = await rowsMsOf(page);
    await page.getByRole('grid').getByRole('row').nth(2).focus();
    for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menu').waitFor();
    const seen = await page.evaluate<Omit<Opened, 'rowsMs'>>('window.stoaBench');
    return { rowsMs, layoutShift: seen.layoutShift, longestEventMs: seen.longestEventMs };
  } finally {
    await page.context().close();
  }
}

interface Control {
  readonly open: (line: Line | undefined) => Promise<Page>;
}

async function startControl(
  workbench: Workbench,
  browser: Browser,
  names: readonly string[],
): Promise<Control> {
  const bundle = await readWebBundle();
  const page = bundle.entries.filter((source) => /^src\/files\/\w*FolderPage\.tsx$/.test(source));
  const files = [...bundle.closureOf(['index.html', ...page])].filter((file) => file.endsWith('.js'));
  const directory = await workbench.directory('control');
  await makeControl(directory, names, files);
  const port = await freePort();
  const script = new URL('../web/serve-build.ts', import.meta.url).pathname;
  await startProgram(workbench, process.execPath, [script, directory], port, {
    STOA_PORT: String(port),
    STOA_DATA_DIR: await workbench.directory('control-data'),
  });
  const url = `http://127.0.0.1:${port}`;
  return { open: (line) => openPage(browser, url, [], line) };
}

/** Measures until the rows of the prebuilt page are painted and all its bytes have arrived. */
async function openStatic({ open }: Control, line: Line | undefined): Promise<number> {
  const page = await open(line);
  try {
    await page.goto('/', { waitUntil: 'commit' });
    await rowsMsOf(page);
    await untilSo(page, 'document.documentElement.dataset.fetched !== undefined');
    return await page.evaluate<number>(
      'Math.max(stoaBench.rowsMs, ...performance.getEntriesByType("resource").map((each) => each.responseEnd))',
    );
  } finally {
    await page.context().close();
  }
}

async function openLarge(desk: Desk, address: string) {
  const page = await desk.openPage();
  try {
    const mainThread = await watchMainThread(page);
    await page.goto(address, { waitUntil: 'commit' });
    const rowsMs = await rowsMsOf(page);
    const openCpuMs = await mainThread();
    const scrolled = await page.evaluate<{ late: number; rows: number; moved: number; frames: number }>(
      scrolling(scrollSeconds),
    );
    if (scrolled.moved === 0) throw new Error('the list did not scroll');
    const frameCpuMs = ((await mainThread()) - openCpuMs) / scrolled.frames;
    return { rowsMs, openCpuMs, frameCpuMs, ...scrolled };
  } finally {
    await page.context().close();
  }
}

async function find(desk: Desk, address: string) {
  const page = await desk.openPage();
  try {
    await page.goto(address);
    await rowsMsOf(page);
    const field = page.getByRole('combobox', { name: 'Find files, text and commands' });
    // The palette's chunk is loaded once. Only the later times matter to users.
    for (let time = 0; time < 2; time += 1) {
      await page.keyboard.press('Control+k');
      await field.waitFor();
      if (time === 0) await page.keyboard.press('Escape');
      if (time === 0) await field.waitFor({ state: 'detached' });
    }
    await page.keyboard.press('Escape');
    const openMs = await page.evaluate<number>(`new Promise((resolve) => {
      const began = performance.now();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }));
      (function look() {
        if (document.querySelector('[role=dialog] [role=combobox]')) requestAnimationFrame(() => resolve(performance.now() - began));
        else requestAnimationFrame(look);
      })();
    })`);
    const resultsMs: number[] = [];
    for (const query of queries) {
      const began = performance.now();
      // The page shows the previous results until then.
      const asked = new URLSearchParams({ q: query }).toString();
      const responded = page.waitForResponse((response) => response.url().includes(asked));
      await field.fill(query);
      await responded;
      await page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
      resultsMs.push(performance.now() - began);
    }
    return { openMs, resultsMs };
  } finally {
    await page.context().close();
  }
}

/** Measures from the click on a file's name until its first heading is painted. */
async function read(desk: Desk, address: string): Promise<number> {
  const page = await desk.openPage();
  try {
    await page.goto(address);
    const link = page.getByRole('link', { name: 'large.md' }).first();
    await link.waitFor();
    await page.evaluate(
      watchClick(`document.querySelector('article :is(h1, h2, h3, h4)')?.textContent.includes('Chapter 0')`),
    );
    await link.click();
    return await clickMsOf(page);
  } finally {
    await page.context().close();
  }
}

/** Measures from the click on Edit until the editor with the caret is painted, then from each key to its paint. */
async function edit(desk: Desk, address: string) {
  const page = await desk.openPage();
  try {
    await page.goto(address);
    await page.getByRole('article').getByText('Chapter 0').first().waitFor();
    await page.evaluate(
      watchClick(`document.activeElement?.matches('[role=textbox][aria-label="Text of large.md"]')`),
    );
    await page.getByRole('radio', { name: 'Edit' }).check();
    const openMs = await clickMsOf(page);
    const mainThread = await watchMainThread(page);
    const before = await mainThread();
    await page.evaluate(watchKeys);
    for (let key = 0; key < keysTyped; key += 1) {
      await page.keyboard.press('x');
      await page.waitForTimeout(keyPauseMs);
    }
    const keyCpuMs = ((await mainThread()) - before) / keysTyped;
    await page.waitForTimeout(reportedMs);
    return { openMs, keysMs: await page.evaluate<number[]>(keyMs(keysTyped)), keyCpuMs };
  } finally {
    await page.context().close();
  }
}

/** A headless browser never hides a tab, so this makes the page believe that it is hidden. */
const hide = `Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
document.dispatchEvent(new Event('visibilitychange'));`;

async function idleRequests(desk: Desk, address: string, tab: 'visible' | 'hidden'): Promise<number> {
  const page = await desk.openPage();
  try {
    await page.goto(address);
    await rowsMsOf(page);
    // The app preloads some files once, which does not count as idle traffic.
    await page.waitForTimeout(loadAheadMs);
    if (tab === 'hidden') await page.evaluate(hide);
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await page.waitForTimeout(idleSeconds * 1000);
    return requests;
  } finally {
    await page.context().close();
  }
}

async function rowsMsOf(page: Page): Promise<number> {
  await untilSo(page, 'stoaBench.rowsMs !== null');
  return await page.evaluate<number>('stoaBench.rowsMs');
}

async function clickMsOf(page: Page): Promise<number> {
  await untilSo(page, 'stoaBench.clickMs !== null');
  return await page.evaluate<number>('stoaBench.clickMs');
}

/** `waitForFunction` compiles its condition in the page, which the policy forbids. */
async function untilSo(page: Page, condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const deadline = performance.now() + ${untilMsMax};
    (function look() {
      if (${condition}) resolve();
      else if (performance.now() > deadline) reject(new Error(${JSON.stringify(condition)}));
      else requestAnimationFrame(look);
    })();
  })`);
}

function largeMarkdown(): string {
  const paragraph = 'Words that stand for a **text** as people write it, with a [link](note.md) and `code`. ';
  let text = '';
  for (let chapter = 0; text.length < markdownBytes; chapter += 1) {
    text += `## Chapter ${chapter}\n\n${paragraph.repeat(8)}\n\n- one\n- two\n\n`;
  }
  return text;
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0;
}

function notMeasured(reason: string): Row {
  return { figure: 'the web app', against: '', result: { kind: 'not_measured', reason }, target: null };
}
