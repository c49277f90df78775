import { parseSessionEvent, restoreTexts, withContent } from '@app/adapters/event-store-db';
import { replaySession } from '@app/application';
import {
  Actor,
  IsoTime,
  isJsonObject,
  type Json,
  type JsonObject,
  Revision,
  type StreamName,
} from '@app/kernel';
import type { Recorded } from '@app/ports';
import { type Bundle, type BundledEvent, type Replayed, sealingKeysOf } from '@app/proof';
import { countText } from '../output/value-text.js';

/** Replays the decisions of a bundle whose events are verified. */
export const replayBundle = async (bundle: Bundle): Promise<Replayed> => {
  const none = { faults: [], checked: '' };
  if (bundle.manifest.content === 'sealed')
    return { ...none, notChecked: 'content was left sealed, from which requests are composed' };
  const erased = bundle.events.filter(({ contents }) => contents.some(({ kind }) => kind === 'sealed'));
  if (erased.length > 0)
    return {
      ...none,
      notChecked: `content of ${countText(erased.length, 'event')} is erased (key ${keysOf(erased).join(', ')})`,
    };
  const events: Recorded[] = [];
  for (const one of bundle.events) {
    const recorded = recordedOf(one, bundle);
    if (!recorded) return { ...none, faults: [`event ${one.event.revision} is no event of a session`] };
    events.push(recorded);
  }
  const { problems, requests, summaries, decisions } = await replaySession(events);
  const [ofSummaries, ofDecisions, ofRequests] = [
    countText(summaries, 'summary', 'summaries'),
    countText(decisions, 'decision'),
    countText(requests, 'request'),
  ];
  const checked = `quotes of ${ofSummaries}, reasons of ${ofDecisions} and digests of ${ofRequests} are as recorded`;
  return { faults: problems, checked };
};

const keysOf = (events: readonly BundledEvent[]): readonly string[] => [
  ...new Set(
    events.flatMap(({ contents }) =>
      contents.flatMap(({ kind, text }) => (kind === 'sealed' ? (sealingKeysOf(text) ?? []) : [])),
    ),
  ),
];

/** The context of an event, from which nothing is composed. */
const CONTEXT = { actor: Actor('verify'), correlationId: 'verify' };

const recordedOf = ({ event, contents }: BundledEvent, bundle: Bundle): Recorded | undefined => {
  const { sealed: _, contentDigest: __, ...open } = dataOf(event, bundle) ?? {};
  const whole = withContent(
    open,
    contents.flatMap(({ text }) => contentParts(text)),
  );
  const parsed = whole && parseSessionEvent(event.type, whole);
  const at = event.metadata.recordedAt;
  if (!parsed || typeof at !== 'string') return undefined;
  return {
    id: event.id,
    stream: bundle.manifest.stream as StreamName, // Named by the verified manifest.
    revision: Revision(event.revision),
    recordedAt: IsoTime(at),
    context: CONTEXT,
    event: parsed,
  };
};

/** The public part with the texts that it claims. */
const dataOf = (event: BundledEvent['event'], { blobs }: Bundle): JsonObject | undefined => {
  const { claims } = event.metadata;
  if (!Array.isArray(claims)) return event.data;
  const others = claims.flatMap((claim: Json) => {
    if (!isJsonObject(claim)) return [];
    const { path, digest, mediaType } = claim;
    if (!Array.isArray(path) || typeof digest !== 'string' || typeof mediaType !== 'string') return [];
    return path[0] === 'sealed' ? [] : [{ path: path.filter(isStep), digest, mediaType }];
  });
  return restoreTexts(event.data, others, blobs);
};

const isStep = (step: Json): step is string | number => typeof step === 'string' || typeof step === 'number';

const contentParts = (text: string) => {
  const parts: Json = JSON.parse(text);
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part: Json) =>
    isJsonObject(part) && Array.isArray(part.at) && part.value !== undefined
      ? [{ at: part.at.filter(isStep), value: part.value }]
      : [],
  );
};
