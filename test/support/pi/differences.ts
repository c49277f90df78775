import { type OpenSession, startsTurn, toolCallsOf } from '@app/domain';
import { groupStartsOf, type OurCut, openCallOf } from './our-cut.js';
import type { PiCut } from './package.js';
import type { FileLists } from './recording.js';

/** A rule of this engine that makes a cut differ from pi's, and its condition. */
type Difference = {
  readonly rule: string;
  readonly explains: (ours: OurCut, pis: PiCut, session: OpenSession) => boolean;
};

/** Returns the first possible cut at or after `at`, or the last one. */
const nearest = (session: OpenSession, at: number): number | undefined => {
  const open = openCallOf(session) ?? session.entries.length;
  const cuts = groupStartsOf(session).filter((start) => start <= open);
  return cuts.find((start) => start >= at) ?? cuts.at(-1);
};
const isOnlyQuestion = ({ entries }: OpenSession, at: number): boolean => {
  const before = entries[at - 1];
  return before !== undefined && startsTurn(before.message) && before.turn === entries[at]?.turn;
};

/** All accepted differences. An unexplained one fails the test. */
const DIFFERENCES: readonly Difference[] = [
  {
    rule: 'a cut is never inside an atomic group: a thinking loop, or a batch with its results',
    explains: (ours, pis, session) =>
      !groupStartsOf(session).includes(pis.at) && ours?.at === nearest(session, pis.at),
  },
  {
    rule: 'a cut is never after the oldest unanswered call',
    explains: (ours, pis, session) =>
      pis.at > (openCallOf(session) ?? Number.POSITIVE_INFINITY) && ours?.at === nearest(session, pis.at),
  },
  {
    rule: 'where the newest results alone exceed the tail, the cut is at the message that owns them',
    explains: (ours, pis, session) =>
      pis.at === 0 && ours !== undefined && ours.at === groupStartsOf(session).at(-1),
  },
  {
    rule: 'the message that began a turn stays: a cut right behind it splits no turn',
    explains: (ours, pis, session) =>
      pis.isSplit && ours?.at === pis.at && !ours.isSplit && isOnlyQuestion(session, pis.at),
  },
  {
    rule: 'the message that began a turn stays: alone before the cut, it leaves nothing to summarize',
    explains: (ours, pis, session) => ours === undefined && pis.at === 1 && isOnlyQuestion(session, pis.at),
  },
  {
    rule: 'what takes no tokens is no gain',
    explains: (ours, pis, { entries }) =>
      ours === undefined &&
      entries.slice(0, pis.at).every(({ tokens, message }) => tokens === 0 || startsTurn(message)),
  },
  {
    rule: 'a tool that reads or changes a file is known by what its name says, not by three names',
    explains: (ours, pis, { entries }) => {
      if (!ours || ours.at !== pis.at || ours.isSplit !== pis.isSplit) return false;
      const known = new Set(
        entries
          .flatMap(({ message }) => toolCallsOf(message))
          .filter(({ name }) => !['read', 'write', 'edit'].includes(name))
          .flatMap(({ input }) => Object.values(input)),
      );
      return differing(ours.files, pis.files).every((path) => known.has(path));
    },
  },
];

/** Returns `same`, the rule that explains the difference, or `unexplained`. */
export const verdict = (ours: OurCut, pis: PiCut, session: OpenSession): string => {
  const isSame = ours
    ? ours.at === pis.at && ours.isSplit === pis.isSplit && differing(ours.files, pis.files).length === 0
    : pis.at === 0;
  if (isSame) return 'same';
  return DIFFERENCES.find(({ explains }) => explains(ours, pis, session))?.rule ?? 'unexplained';
};

const differing = (ours: FileLists, pis: FileLists): readonly string[] => [
  ...apart(ours.read, pis.read),
  ...apart(ours.modified, pis.modified),
];
const apart = (one: readonly string[], other: readonly string[]): readonly string[] => [
  ...one.filter((path) => !other.includes(path)),
  ...other.filter((path) => !one.includes(path)),
];
