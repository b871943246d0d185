/** A file that tries to run its script. */
export interface HostileFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: string | Uint8Array;
}

/** The start of the console line of each script that runs. The rest of the line names the file and the origin. */
export const canary = 'STOA-CANARY';

/** A script that reports that it ran, without quotation marks that could end an HTML or XML attribute. */
const script = (name: string) => `console.log(\`${canary} ${name} \${self.origin}\`)`;

/** Returns files of every kind that is known to have made a browser run a script. */
export function hostileFiles(): readonly HostileFile[] {
  return [...pages(), ...drawings(), ...mistakenTypes(), ...encodings(), ...documents(), ...markdowns()];
}

function file(name: string, contentType: string, content: (run: string) => string): HostileFile {
  return { name, contentType, bytes: content(script(name)) };
}

function pages(): readonly HostileFile[] {
  const html = (name: string, content: (run: string) => string) =>
    file(`${name}.html`, 'text/html', (run) => `<!doctype html><title>x</title>${content(run)}`);
  return [
    html('inline', (run) => `<script>${run}</script>`),
    html('onerror', (run) => `<img src=x onerror="${run}">`),
    html('onload', (run) => `<body onload="${run}">`),
    html('svg-in-html', (run) => `<svg onload="${run}"><animate onbegin="${run}" attributeName=x /></svg>`),
    html('refresh', (run) => `<meta http-equiv=refresh content="0;url=javascript:${run}">`),
    html(
      'refresh-data',
      (run) => `<meta http-equiv=refresh content="0;url=data:text/html,<script>${run}</script>">`,
    ),
    html('base', (run) => `<base href="javascript:/"><iframe src="javascript:${run}"></iframe>`),
    html('srcdoc', (run) => `<iframe srcdoc="<script>${run}</script>"></iframe>`),
    html('object-data', (run) => `<object data="data:text/html,<script>${run}</script>"></object>`),
    html(
      'autofocus',
      (run) => `<input autofocus onfocus="${run}"><details open ontoggle="${run}"></details>`,
    ),
    html('neighbour-script', () => '<script src="script.js"></script><link rel=stylesheet href="style.css">'),
    html('module', (run) => `<script type=module>import "./script.js"; ${run}</script>`),
    html(
      'form',
      (run) => `<form action="javascript:${run}"><button id=b autofocus></form><script>b.click()</script>`,
    ),
    html('worker', (run) => `<script>navigator.serviceWorker.register("sw.js"); ${run}</script>`),
    file('page.xhtml', 'application/xhtml+xml', (run) => xhtml(`<script>${run}</script>`)),
  ];
}

function drawings(): readonly HostileFile[] {
  const svg = (content: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`;
  return [
    file('script.svg', 'image/svg+xml', (run) => svg(`<script>${run}</script>`)),
    file('onload.svg', 'image/svg+xml', (run) =>
      svg(`<g/><animate attributeName="x" onbegin="${run}"/>`).replace('<svg', `<svg onload="${run}"`),
    ),
    file('foreign.svg', 'image/svg+xml', (run) =>
      svg(
        `<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:${run}"/></foreignObject>`,
      ),
    ),
    file('linked.svg', 'image/svg+xml', () => svg('<script xlink:href="script.js"/>')),
    file(
      'sheet.xml',
      'text/xml',
      (run) => `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="sheet.xsl"?><x/><!--${run}-->`,
    ),
    file(
      'sheet.xsl',
      'text/xsl',
      (run) =>
        `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html xmlns="http://www.w3.org/1999/xhtml"><script>${run}</script></html></xsl:template></xsl:stylesheet>`,
    ),
    file('xml-html.xml', 'application/xml', (run) => xhtml(`<script>${run}</script>`)),
    file(
      'math.mml',
      'application/mathml+xml',
      (run) =>
        `<math xmlns="http://www.w3.org/1998/Math/MathML"><script xmlns="http://www.w3.org/1999/xhtml">${run}</script></math>`,
    ),
    file('feed.rss', 'application/rss+xml', (run) => xhtml(`<script>${run}</script>`)),
  ];
}

function mistakenTypes(): readonly HostileFile[] {
  const page = (run: string) => `<html><body><script>${run}</script></body></html>`;
  return [
    file('page.txt', 'text/plain', page),
    file('page.json', 'application/json', page),
    file('page.csv', 'text/csv', page),
    file('page.bin', 'application/octet-stream', page),
    file('unknown.foo', 'x/y', page),
    file('several.html', 'text/html;charset=x;a="text/html"', page),
    file('upper.html', 'TEXT/HTML', page),
    file('polyglot.gif', 'image/gif', (run) => `GIF89a/*${page(run)}*/=1;${run}`),
    file('polyglot-page.png', 'text/html', (run) => `\u0089PNG\r\n\u001a\n${page(run)}`),
    file('page.jpg', 'image/jpeg', page),
    file('page.mp4', 'video/mp4', page),
    file('script.js', 'text/javascript', (run) => run),
    file('sw.js', 'application/javascript', (run) => `${run}; addEventListener("fetch", () => {})`),
    file('style.css', 'text/css', (run) => `body { background: url("javascript:${run}") }`),
    file(
      'push.html',
      'multipart/x-mixed-replace;boundary=b',
      (run) => `--b\r\nContent-Type: text/html\r\n\r\n${page(run)}\r\n--b--`,
    ),
  ];
}

function encodings(): readonly HostileFile[] {
  const page = (name: string) => `<html><script>${script(name)}</script></html>`;
  const bom = (name: string) => Buffer.from(`\ufeff${page(name)}`, 'utf16le');
  return [
    { name: 'utf16.html', contentType: 'text/html', bytes: bom('utf16.html') },
    { name: 'utf16.txt', contentType: 'text/plain;charset=utf-16', bytes: bom('utf16.txt') },
    {
      name: 'utf7.html',
      contentType: 'text/html;charset=utf-7',
      bytes: page('utf7.html').replaceAll('<', '+ADw-').replaceAll('>', '+AD4-'),
    },
    {
      name: 'iso2022.html',
      contentType: 'text/html;charset=iso-2022-jp',
      bytes: `<img alt="\u001b$B"><img alt="\u001b(B" src=x onerror=${script('iso2022.html').replaceAll(' ', '+String.fromCharCode(32)+')}>`,
    },
  ];
}

function documents(): readonly HostileFile[] {
  const mhtml = (run: string) =>
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: http://x/\r\n\r\n<script>${run}</script>\r\n--b--`;
  return [
    file('archive.mhtml', 'multipart/related', mhtml),
    file('archive.mht', 'message/rfc822', mhtml),
    file(
      'page.pdf',
      'application/pdf',
      (run) =>
        `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\);${run.replaceAll(/[()]/g, '\\$&')})>>/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>`,
    ),
    file('page-in.pdf', 'text/html', (run) => `%PDF-1.7\n<script>${run}</script>`),
    file(
      'app.webmanifest',
      'application/manifest+json',
      (run) => `{"start_url":"javascript:${run.replaceAll('"', '')}"}`,
    ),
    file('widget.hta', 'application/hta', (run) => `<script>${run}</script>`),
  ];
}

function markdowns(): readonly HostileFile[] {
  const markdown = (name: string, content: (run: string) => string) =>
    file(`${name}.md`, 'text/markdown', content);
  return [
    markdown(
      'raw-html',
      (run) => `<script>${run}</script>\n\n<img src=x onerror="${run}">\n\n<svg onload="${run}">`,
    ),
    markdown(
      'links',
      (run) =>
        `[a](javascript:${run}) [b](JaVaScRiPt:alert) [c](data:text/html,<script>${run}</script>) [d]( java\nscript:x)`,
    ),
    markdown(
      'pictures',
      (run) =>
        `![a](x" onerror="${run}) ![b](javascript:${run}) ![c](data:image/svg+xml,<svg onload="${run}">)`,
    ),
    markdown(
      'autolink',
      (run) => `<javascript:${run}> <https://x/"onmouseover="${run}>\n\n[ref]: javascript:${run}\n\n[ref]`,
    ),
    markdown(
      'entities',
      (run) =>
        `[a](&#106;avascript:${run}) [b](\\u006aavascript:${run}) [c](vbscript:x) [d](//evil.example/x)`,
    ),
    markdown(
      'fences',
      (run) =>
        `\`\`\`html" onload="${run}\n</code></pre><script>${run}</script>\n\`\`\`\n\n~~~js\n</pre><img src=x onerror=${run}>\n~~~`,
    ),
    markdown('titles', (run) => `[a](x 'y" onmouseover="${run}') ![a](x 'y"><script>${run}</script>')`),
  ];
}

function xhtml(content: string): string {
  return `<html xmlns="http://www.w3.org/1999/xhtml"><body>${content}</body></html>`;
}
