import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { consoleFile } from '../console/serve-console.js';

type Parts = {
  /** JSON that {@link embedded} has written. */
  readonly recording: string;
  /** Media type of the proof bundle. */
  readonly bundle: string;
  /** The log's signed note about the recording. */
  readonly signature: string;
};

/** Returns a value as JSON that markup can hold: no character of it ends a script. */
export const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Returns the console with a recorded session as one HTML document, which asks for nothing and sends nothing. */
export const pageOf = async ({ recording, bundle, signature }: Parts): Promise<string> => {
  const script = (await readFile(consoleFile('console.js'), 'utf8')).replaceAll('</script', '<\\/script');
  const style = (await readFile(consoleFile('console.css'), 'utf8')).replaceAll('</style', '<\\/style');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    // Positions of rows in long lists are styles of elements, which scripts set.
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>Palimpsest</title><style>${style}</style></head>`,
    '<body><div id="console"></div>',
    '<noscript>This page shows and verifies a session with JavaScript, without a network.</noscript>',
    `<script id="recording" type="application/json">${recording}</script>`,
    `<script id="proof" type="application/json">${embedded(bundle)}</script>`,
    `<script id="signature" type="application/json">${embedded(signature)}</script>`,
    `<script type="module">${script}</script>`,
    '</body></html>\n',
  ].join('\n');
};

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
