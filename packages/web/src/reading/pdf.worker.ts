// The library's own worker, bundled with our assets.
import 'pdfjs-dist/build/pdf.worker.min.mjs';
