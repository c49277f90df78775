import { createHash } from 'node:crypto';
import type { RawEvent } from './raw-event.js';

const GAP_TYPE = 'palimpsest-gap';
const NOTHING = new Uint8Array();

/**
 * Returns an empty event in place of a scavenged one, so that later events keep their revisions. Its id is
 * deterministic.
 */
export const gapEvent = (stream: string, revision: bigint): RawEvent => {
  const digits = createHash('sha256').update(`${GAP_TYPE}\0${stream}\0${revision}`).digest('hex');
  const id = digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return {
    stream,
    revision,
    id,
    type: GAP_TYPE,
    contentType: 'application/octet-stream',
    metadata: NOTHING,
    data: NOTHING,
  };
};

export const isGap = (event: RawEvent): boolean =>
  event.type === GAP_TYPE && event.id === gapEvent(event.stream, event.revision).id;
