import { fetchText } from '../../api.js';
import type { Recording } from '../../offline.js';

/** Contexts, messages and explanations that one file holds at most: it has to open in a browser. */
const CONTEXTS_MAX = 60;
const MESSAGES_MAX = 20_000;

/**
 * Asks the API for what the views of a session show, and returns the answers.
 *
 * @param onProgress is told how many answers are there.
 */
export const record = async (
  session: string,
  withContent: boolean,
  onProgress: (answers: number) => void,
): Promise<Recording> => {
  const answers = new Map<string, string>();
  const keep = async (url: string): Promise<string> => {
    const text = await textOf(url, withContent);
    if (text !== undefined) answers.set(`GET ${url}`, text);
    onProgress(answers.size);
    return text ?? '';
  };
  const at = `/v1/sessions/${encodeURIComponent(session)}`;
  const view = JSON.parse(await keep(at));
  const series = JSON.parse(await keep(`${at}/occupancy?bins=600`));
  await keep(`${at}/compactions?limit=500`);
  const retention = JSON.parse(await keep(`${at}/retention-map?from=0&turns=500`));
  answers.set(`GET ${at}/retention-map?from=0&turns=60`, JSON.stringify(retention));
  const ids = [
    ...new Set<string>(retention.columns.map((one: { compactionId: string }) => one.compactionId)),
  ];
  for (const id of ids.slice(-CONTEXTS_MAX)) {
    await keep(`${at}/compactions/${encodeURIComponent(id)}`);
    if (withContent) await keep(`${at}/compactions/${encodeURIComponent(id)}/outcome?timeoutSeconds=1`);
  }
  const revisions = new Set<number>([view.revision]);
  for (const mark of series.marks.slice(-CONTEXTS_MAX / 2))
    revisions.add(mark.revision).add(Math.max(0, mark.revision - 1));
  for (const revision of revisions) await keep(`${at}/context?asOf=${revision}`);
  await keepEvents(at, view.revision, keep);
  if (withContent) await keepMessages(at, answers, keep);
  const recordedAt = new Date().toISOString();
  return { session, recordedAt, withContent, answers: Object.fromEntries(answers) };
};

const keepEvents = async (
  at: string,
  newest: number,
  keep: (url: string) => Promise<string>,
): Promise<void> => {
  for (let from = 0; from <= newest; from += 100) await keep(`${at}/events?from=${from}&limit=100`);
};

/** Messages are kept by their own address, as the views ask for them. */
const keepMessages = async (
  at: string,
  answers: Map<string, string>,
  keep: (url: string) => Promise<string>,
): Promise<void> => {
  let kept = 0;
  for (let from: number | null = 0; from !== null && kept < MESSAGES_MAX; ) {
    const page: { items: { id: string }[]; next: number | null } = JSON.parse(
      await keep(`${at}/messages?from=${from}&limit=500`),
    );
    answers.delete(`GET ${at}/messages?from=${from}&limit=500`);
    for (const item of page.items)
      answers.set(`GET ${at}/messages/${encodeURIComponent(item.id)}`, JSON.stringify(item));
    kept += page.items.length;
    from = page.next;
  }
};

/** Members with text, by the end of the path: they are left out of a file without content. */
const TEXTS = [
  'request',
  'body',
  'systemPrompt',
  'tools',
  'lost',
  'summary',
  'pins',
  'title',
  'project',
  'labels',
];

const textOf = async (url: string, withContent: boolean): Promise<string | undefined> => {
  const isEvents = url.includes('/events?');
  if (isEvents && !withContent) return undefined; // Titles and reasons are texts, too.
  const text = await fetchText(url);
  if (withContent || isEvents) return text;
  return JSON.stringify(withoutTexts(JSON.parse(text)));
};

const withoutTexts = (answer: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      if (!TEXTS.includes(name)) return [name, value];
      if (name === 'pins' || name === 'tools') return [name, []];
      if (name === 'labels' || name === 'request') return [name, {}];
      return [name, name === 'systemPrompt' ? '' : null];
    }),
  );
