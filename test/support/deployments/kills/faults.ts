import type { LoggedEvent } from '@app/client';
import type { SessionStory } from './tenant.js';

/** Contradictions between reports about a session; a correct service has none. */
export const faultsOf = (story: SessionStory): readonly string[] =>
  [
    ...logFaults(story),
    ...batchFaults(story),
    ...compactionFaults(story.log),
    ...rowFaults(story),
    ...listenerFaults(story),
  ].map((fault) => `${story.session}: ${fault}`);

const logFaults = ({ log }: SessionStory): readonly string[] => [
  ...repeated(log.map(({ id }) => id)).map((id) => `event ${id} is in the log twice`),
  ...log.flatMap(({ revision }, at) => (revision === at ? [] : [`revision ${revision} stands at ${at}`])),
];

/** Acknowledged: there once. Not answered: there once or not at all, and never half. In either case in its order. */
const batchFaults = ({ batches, log }: SessionStory): readonly string[] => {
  const texts = ofType(log, 'MessageAppended').map(({ data }) => JSON.stringify(data.message));
  const placesOf = (mark: string): readonly number[] =>
    texts.flatMap((text, at) => (text.includes(mark) ? [at] : []));
  const found = batches.map(({ marks, fate }) => ({ marks, fate, places: marks.flatMap(placesOf) }));
  const wrong = found.filter(
    ({ marks, fate, places }) =>
      places.length !== marks.length && (fate === 'acknowledged' || places.length > 0),
  );
  const order = found.flatMap(({ places }) => places);
  return [
    ...wrong.map(({ marks, fate, places }) => `${marks[0]}, ${fate}, is there at ${JSON.stringify(places)}`),
    ...(isRising(order) ? [] : ['its messages stand in another order than they were sent in']),
    ...(order.length === texts.length
      ? []
      : [`it has ${texts.length} messages, of which ${order.length} were sent`]),
  ];
};

const ENDS = ['CompactionCompleted', 'CompactionFailed', 'CompactionSkipped', 'CompactionCancelled'];

/** One at a time, and each with an end. */
const compactionFaults = (log: readonly LoggedEvent[]): readonly string[] => {
  const faults: string[] = [];
  let open: unknown;
  for (const { type, data } of log) {
    if (type === 'CompactionRequested') {
      if (open !== undefined) faults.push(`${data.compactionId} was requested while ${open} was open`);
      open = data.compactionId;
    }
    if (type === 'CompactionStarted' && data.compactionId !== open)
      faults.push(`${data.compactionId} was started, and is not the one that was requested`);
    if (ENDS.includes(type) && data.compactionId === open) open = undefined;
  }
  return open === undefined ? faults : [...faults, `${open} is still open`];
};

/** The rows are the log's: each event audited once, and the session counted as it is. */
const rowFaults = ({ log, audited, row, compactions }: SessionStory): readonly string[] => {
  const places = (events: readonly { readonly revision: number; readonly type: string }[]): string =>
    events.map(({ revision, type }) => `${revision} ${type}`).join();
  const completed = ofType(log, 'CompactionCompleted').length;
  const expected = [log.length - 1, ofType(log, 'MessageAppended').length, completed].join();
  const counted = row && [row.revision, row.messages, row.compactions].join();
  return [
    ...(places(log) === places(audited) ? [] : ['its audit is not its log']),
    ...(counted === expected ? [] : [`its row has ${counted}, where the log has ${expected}`]),
    ...(compactions.includes(null) ? ['a compaction is open by its row'] : []),
    ...(compactions.length === ofType(log, 'CompactionRequested').length
      ? []
      : [`${compactions.length} compactions are listed`]),
    ...(compactions.filter((outcome) => outcome === 'completed').length === completed
      ? []
      : ['other compactions have completed by their rows']),
  ];
};

/** Every event, once, in order. */
const listenerFaults = ({ log, heard }: SessionStory): readonly string[] => {
  const all = log.map(({ revision }) => revision).join();
  return heard.flatMap((revisions, who) =>
    revisions.join() === all ? [] : [`listener ${who} was told of ${revisions.join()}`],
  );
};

const ofType = (log: readonly LoggedEvent[], type: string): readonly LoggedEvent[] =>
  log.filter((event) => event.type === type);
const repeated = (ids: readonly string[]): readonly string[] => ids.filter((id, at) => ids.indexOf(id) < at);
const isRising = (places: readonly number[]): boolean =>
  places.every((place, at) => at === 0 || place > (places[at - 1] ?? -1));
