/** Answers of the API by method and path, as a shared file holds them. */
export type Recording = {
  readonly session: string;
  readonly recordedAt: string;
  readonly withContent: boolean;
  readonly answers: Readonly<Record<string, string>>;
};

const read = (): Recording | undefined => {
  const element = document.getElementById('recording');
  return element?.textContent ? JSON.parse(element.textContent) : undefined;
};

/** The recording within this page, if it is a shared file and not served by the API. */
export const recording = read();

const ANSWERS: ReadonlyMap<string, string> = new Map(Object.entries(recording?.answers ?? {}));

/** Base URL of a recording, which no request ever reaches. */
export const RECORDED_BASE = 'https://recording.invalid';

/** Answers requests from the recording; everything else is refused. */
export const recordedFetch: typeof fetch = async (input, { method = 'GET' } = {}) => {
  const url = String(input instanceof Request ? input.url : input).slice(RECORDED_BASE.length);
  const text = ANSWERS.get(`${method} ${url}`) ?? eventIn(url);
  if (text !== undefined) return new Response(text, { headers: { 'content-type': 'application/json' } });
  const detail =
    method === 'GET'
      ? 'This file does not hold that: open the session in the console of the service.'
      : 'This is a file: open the session in the console of the service to change it.';
  return Response.json({ code: 'route-not-found', detail, status: 404 }, { status: 404 });
};

/** Returns a single event from the window of a hundred that holds it. */
const eventIn = (url: string): string | undefined => {
  const [, path = '', from = ''] = /^(.*\/events)\?from=(\d+)&limit=1$/.exec(url) ?? [];
  const first = Math.floor(Number(from) / 100) * 100;
  const window = ANSWERS.get(`GET ${path}?from=${first}&limit=100`);
  return window?.split('\n')[Number(from) - first];
};
