/** Answers of the API by method and path, as a page from disk holds them. */
export type Recording = {
  readonly session: string;
  readonly recordedAt: string;
  readonly withContent: boolean;
  readonly answers: Readonly<Record<string, string>>;
};

const parsed = (text: string | undefined): unknown => {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
const textOf = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;
const recorded = textOf('recording');

/** The recording within this page, if it was opened from disk and not served by the API. */
export const recording = parsed(recorded) as Recording | undefined; // The log's signature is verified before it is believed.

/** Whether this page was opened from disk and cannot be read. */
export const isDamaged = recorded !== undefined && recording === undefined;

/** The data of this page that the log has signed. */
export const signedPage =
  recorded === undefined
    ? undefined
    : {
        recording: recorded,
        bundle: String(parsed(textOf('proof'))),
        signature: String(parsed(textOf('signature'))),
      };

/** Base URL of a recording, which no request ever reaches. */
export const RECORDED_BASE = 'https://recording.invalid';

/** Answers requests from the recording; everything else is refused. */
export const recordedFetch: typeof fetch = async (input, { method = 'GET' } = {}) => {
  const url = String(input instanceof Request ? input.url : input).slice(RECORDED_BASE.length);
  const text = answerTo(method, url) ?? eventsOf(url) ?? turnsOf(url);
  if (text !== undefined) return new Response(text, { headers: { 'content-type': 'application/json' } });
  const detail =
    method === 'GET'
      ? `${/\/context\?/.test(url) ? 'It holds the newest context and those around its marks: choose a mark, or' : 'To see it,'} open the session in the console of the service.`
      : 'This is a file: open the session in the console of the service to change it.';
  return Response.json({ code: 'not-in-file', detail, status: 404 }, { status: 404 });
};

const ANSWERS: ReadonlyMap<string, string> = new Map(Object.entries(recording?.answers ?? {}));
const answerTo = (method: string, url: string): string | undefined => ANSWERS.get(`${method} ${url}`);

let lines: readonly string[] | undefined;

/** Returns a window of the recorded events. */
const eventsOf = (url: string): string | undefined => {
  const [, path = '', from = '', limit = ''] = /^(.*\/events)\?from=(\d+)&limit=(\d+)$/.exec(url) ?? [];
  const all = answerTo('GET', path);
  if (all === undefined) return undefined;
  lines ??= all.split('\n');
  return lines.slice(Number(from), Number(from) + Number(limit)).join('\n');
};

/** Turns of one recorded part of the retention map. */
const TURNS_RECORDED = 500;

/** Returns a window of the recorded retention map. */
const turnsOf = (url: string): string | undefined => {
  const [, path = '', from = '', turns = ''] =
    /^(.*\/retention-map)\?from=(\d+)&turns=(\d+)$/.exec(url) ?? [];
  const [first, end] = [Number(from), Number(from) + Number(turns)];
  const rows: { readonly turn: number }[] = [];
  let map: object | undefined;
  for (let at = first - (first % TURNS_RECORDED); at < end; at += TURNS_RECORDED) {
    const text = answerTo('GET', `${path}?from=${at}&turns=${TURNS_RECORDED}`);
    if (text === undefined) break;
    const part = JSON.parse(text);
    map = part;
    rows.push(...part.rows);
  }
  if (!map) return undefined;
  return JSON.stringify({
    ...map,
    from: first,
    rows: rows.filter(({ turn }) => turn >= first && turn < end),
  });
};
