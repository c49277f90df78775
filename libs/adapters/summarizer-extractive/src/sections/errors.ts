import type { Call } from '../facts/calls.js';
import { itemsOf } from '../facts/previous.js';
import { type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';
import { oneLine } from '../text/one-line.js';

const RESOLVED = '(resolved later)';
const OPEN = '(not seen resolved)';

type Failure = { readonly call: Call; readonly error: string; readonly times: number };

/** Returns errors, once per command and kind of failure, and whether the command succeeded later. */
export const errorsSection = ({ covered, retained, previous, focus, lineMax }: Material): Section => {
  const calls = [...covered.calls, ...retained.calls];
  const lastSuccess = new Map<string, number>();
  for (const [at, call] of calls.entries()) if (call.outcome === 'ok') lastSuccess.set(call.target, at);

  const failures = new Map<string, Failure & { readonly place: number }>();
  for (const [place, call] of covered.calls.entries()) {
    if (call.error === undefined) continue;
    const key = `${call.target}\n${call.error}`;
    const times = (failures.get(key)?.times ?? 0) + 1;
    failures.delete(key);
    failures.set(key, { call, error: call.error, times, place });
  }
  const lines = [...failures.values()].map(({ call, error, times, place }) => {
    const state = (lastSuccess.get(call.target) ?? -1) > place ? RESOLVED : OPEN;
    const often = times > 1 ? `, ${times} times` : '';
    return `${oneLine(`${shortened(call, lineMax)} → ${error}${often}`, lineMax - OPEN.length - 1)} ${state}`;
  });
  const succeeded = new Set(
    calls.filter(({ outcome }) => outcome === 'ok').map((call) => shortened(call, lineMax)),
  );
  const before = itemsOf(previous, 'Errors').map(({ text }) => carriedOn(text, succeeded));
  const ranked = [...before, ...lines].map(
    (text, at): Line => ({ text, rank: rankOf(text, at) * focus(text) }),
  );
  return { title: 'Errors', groups: [list(ranked)] };
};

/** Leaves room for the error beside the command. */
const shortened = ({ what }: Call, lineMax: number): string => oneLine(what, Math.floor(lineMax / 2));

const rankOf = (text: string, at: number): number => (text.endsWith(OPEN) ? 10_000 : 0) + at + 1;

/** Returns an error of an earlier summary, as resolved if the same command has succeeded since. */
const carriedOn = (text: string, succeeded: ReadonlySet<string>): string => {
  const what = text.slice(0, Math.max(0, text.indexOf(' → ')));
  return text.endsWith(OPEN) && succeeded.has(what) ? text.slice(0, -OPEN.length) + RESOLVED : text;
};
