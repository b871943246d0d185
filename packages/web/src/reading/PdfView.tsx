import { getDocument, PasswordResponses, type PDFDocumentProxy, PDFWorker, TextLayer } from 'pdfjs-dist';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { reading } from '../text/en/reading.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { EmptyState, FormAlert, LoadingLines } from '../ui/States.tsx';
import './file-views.css';

type PdfState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly document: PDFDocumentProxy }
  /** Encrypted: pass the password to `open`. */
  | { readonly kind: 'locked'; readonly isWrong: boolean; open(password: string): void }
  | { readonly kind: 'failed' };

const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;
/** Limit of pixels per page, so that no page allocates gigabytes. */
const pagePixelsMax = 16_000_000;

/** Shows a PDF page by page with our own script: the browser's viewer would run the file's scripts on this origin. */
export function PdfView({
  name,
  bytes,
  unreadable,
}: {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Shown instead if the file cannot be rendered. */
  readonly unreadable: ReactNode;
}) {
  const state = usePdf(bytes);
  const [number, setNumber] = useState(1);
  const [zoom, setZoom] = useState<(typeof zooms)[number]>(1);
  const canvas = useRef<HTMLCanvasElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const document = state.kind === 'ready' ? state.document : null;
  const pages = document?.numPages ?? 0;

  useEffect(() => {
    if (document === null || canvas.current === null || sheet.current === null || text.current === null)
      return;
    return drawPage({
      document,
      number,
      zoom,
      canvas: canvas.current,
      sheet: sheet.current,
      text: text.current,
    });
  }, [document, number, zoom]);

  if (state.kind === 'loading') return <LoadingLines />;
  if (state.kind === 'failed') return unreadable;
  if (state.kind === 'locked') return <PdfPassword name={name} {...state} />;
  const zoomBy = (step: 1 | -1): void => {
    const next = zooms[zooms.indexOf(zoom) + step];
    if (next !== undefined) setZoom(next);
  };
  return (
    <section className="reading-pdf" aria-label={reading.previewOf(name)}>
      <div className="reading-pdf-bar">
        <IconButton
          icon="arrow-up"
          name={reading.previousPage}
          disabledBecause={number > 1 ? null : reading.firstPage}
          onClick={() => setNumber(number - 1)}
        />
        <IconButton
          icon="arrow-down"
          name={reading.nextPage}
          disabledBecause={number < pages ? null : reading.lastPage}
          onClick={() => setNumber(number + 1)}
        />
        <span className="reading-pdf-count" aria-live="polite">
          {reading.page(number, pages)}
        </span>
        <IconButton
          icon="zoom-out"
          name={reading.zoomOut}
          disabledBecause={zoom > zooms[0] ? null : reading.smallest}
          onClick={() => zoomBy(-1)}
        />
        <IconButton
          icon="zoom-in"
          name={reading.zoomIn}
          disabledBecause={zoom < 3 ? null : reading.largest}
          onClick={() => zoomBy(1)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <div className="reading-pdf-page" tabIndex={0}>
        <div className="reading-pdf-sheet" ref={sheet}>
          <canvas ref={canvas} />
          <div className="reading-pdf-text" ref={text} />
        </div>
      </div>
    </section>
  );
}

function PdfPassword({
  name,
  isWrong,
  open,
}: {
  readonly name: string;
  readonly isWrong: boolean;
  open(password: string): void;
}) {
  const [password, setPassword] = useState('');
  const alertId = useId();
  return (
    <EmptyState icon="key" text={reading.pdfLocked} detail={<bdi>{name}</bdi>}>
      <form
        className="reading-pdf-password"
        onSubmit={(event) => {
          event.preventDefault();
          open(password);
        }}
      >
        <Field
          label={reading.pdfPassword}
          wrongBy={isWrong ? alertId : undefined}
          type="password"
          autoComplete="off"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormAlert id={alertId}>{isWrong ? reading.pdfWrongPassword : null}</FormAlert>
        <Button kind="primary" type="submit">
          {reading.pdfOpen}
        </Button>
      </form>
    </EmptyState>
  );
}

function usePdf(bytes: Uint8Array): PdfState {
  const [state, setState] = useState<PdfState>({ kind: 'loading' });
  useEffect(() => {
    let isGone = false;
    const port = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' });
    const worker = PDFWorker.create({ port });
    const loading = getDocument({
      // The library transfers the bytes away, so pass a copy.
      data: bytes.slice(),
      worker,
      useWasm: false,
      useWorkerFetch: false,
      enableXfa: false,
      stopAtErrors: false,
      maxImageSize: pagePixelsMax,
    });
    loading.onPassword = (open: (password: string) => void, reason: number) => {
      if (isGone) return;
      setState({ kind: 'locked', isWrong: reason === PasswordResponses.INCORRECT_PASSWORD, open });
    };
    loading.promise.then(
      (document) => {
        if (!isGone) setState({ kind: 'ready', document });
      },
      () => {
        if (!isGone) setState({ kind: 'failed' });
      },
    );
    return () => {
      isGone = true;
      void loading.destroy().finally(() => port.terminate());
    };
  }, [bytes]);
  return state;
}

interface PageDrawing {
  readonly document: PDFDocumentProxy;
  readonly number: number;
  readonly zoom: number;
  readonly canvas: HTMLCanvasElement;
  readonly sheet: HTMLElement;
  readonly text: HTMLElement;
}

/** Renders a page and its text layer. Returns a function that cancels this. */
function drawPage({ document, number, zoom, canvas, sheet, text }: PageDrawing): () => void {
  const ended: (() => void)[] = [];
  let isGone = false;
  async function run(): Promise<void> {
    const page = await document.getPage(number);
    if (isGone) return;
    const natural = page.getViewport({ scale: 1 });
    const room = (sheet.parentElement?.clientWidth ?? natural.width) - 2;
    const scale = Math.min(2, room / natural.width) * zoom;
    const viewport = page.getViewport({ scale });
    const density = Math.min(devicePixelRatio, Math.sqrt(pagePixelsMax / (viewport.width * viewport.height)));
    canvas.width = Math.floor(viewport.width * density);
    canvas.height = Math.floor(viewport.height * density);
    sheet.style.inlineSize = `${viewport.width}px`;
    sheet.style.blockSize = `${viewport.height}px`;
    text.replaceChildren();
    text.style.setProperty('--total-scale-factor', String(scale));
    const drawing = page.render({ canvas, viewport, transform: [density, 0, 0, density, 0, 0] });
    const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: text, viewport });
    ended.push(
      () => drawing.cancel(),
      () => layer.cancel(),
    );
    await Promise.all([drawing.promise, layer.render()]);
  }
  run().catch((error: unknown) => {
    // Cancelled by the next page, or this page cannot be rendered: keep the page count and the other pages.
    if (!isGone) console.warn(error);
  });
  return () => {
    isGone = true;
    for (const end of ended) end();
  };
}
