import { sessionOf } from '@app/kernel';
import type { Bundle } from '../bundle/bundle.js';
import type { Fault } from './report.js';

/** Returns the faults in the revisions of the session's stream: each one once, in order, as many as the manifest says. */
export const checkCompleteness = ({ manifest, events, signature }: Bundle): readonly Fault[] => {
  const { first, last, count } = manifest.events;
  const fault = (outcome: 'invalid' | 'incomplete', detail: string): Fault => ({
    ...{ step: 'completeness', outcome, detail },
  });
  const named = sessionOf(manifest.stream);
  if (named?.tenant !== manifest.tenant || named.session !== manifest.session)
    return [fault('invalid', 'the events are of another session than the manifest names')];
  if (count === 0 || last - first + 1 !== count)
    return [fault('invalid', `the manifest counts ${count} events from ${first} to ${last}`)];
  const gap = events.findIndex(({ event }, at) => event.revision !== first + at);
  if (gap >= 0)
    return [fault('invalid', `revision ${events[gap]?.event.revision} is in the place of ${first + gap}`)];
  if (events.length > count) return [fault('invalid', `the file has ${events.length} of ${count} events`)];
  if (events.length < count)
    return [fault('incomplete', `the file ends after ${events.length} of ${count} events`)];
  return signature === undefined ? [fault('incomplete', 'the file ends before its signature')] : [];
};
