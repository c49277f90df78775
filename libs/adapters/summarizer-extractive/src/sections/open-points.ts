import { contentWords, overlap } from '@app/domain';
import { isJsonObject } from '@app/kernel';
import type { Conversation } from '../facts/conversation.js';
import { itemsOf } from '../facts/previous.js';
import { type Line, list, type Section } from '../facts/section.js';
import { taskIn, taskLine, tasksOf } from '../facts/tasks.js';
import type { Material } from '../material.js';
import { bounded, cleanLines } from '../text/lines.js';
import { oneLine } from '../text/one-line.js';

const READ_MAX = 64 * 1024;
/** Only the last texts can contain open points. */
const TEXTS_READ = 4;
/** Newest ones; each is compared with everything in view. */
const POINTS_MAX = 200;
/** Share of a point's words that a retained line must contain to be about it. */
const SHOWN_AT = 0.75;
const UNCHECKED = /^\[ \] (.+)$/;
/** Sentences about the list itself, or about a commit, are not open points. */
const IS_DONE =
  /^[0-9a-f]{7,40} |\b(?:mark|marking|marked|update|updating|updated)\b.{0,40}\bto-?dos?\b|\bto-?dos?\b.{0,40}\b(?:list|completed?|done)\b|^(?:nothing|no (?:open|remaining|pending))\b/i;
const STILL_TO_DO =
  /\bnext[,:]|\b(?:next(?: step| up| i)|still (?:need|to do|missing|fails?|failing|open)|remaining|to-?do|not yet|left to do|follow-?up|pending)\b/i;

/** Returns the open points, except the ones that the retained messages handle or contain. */
export const openPointsSection = (material: Material): Section => {
  const { covered, retained, focus, lineMax } = material;
  const inView = wordsByLine(retained);
  const plan = todosOf(covered);
  const { earlier, tasks } = listed(material);
  const planIsNewer = todosOf(retained) !== undefined;
  const points = planIsNewer
    ? []
    : [
        // A plan replaces earlier open points.
        ...(plan ? [] : earlier),
        ...spokenOf(covered, lineMax),
        ...(plan ?? []).map((point) => oneLine(point, lineMax)),
        ...tasks,
      ];
  const open = [...new Set(points)].slice(-POINTS_MAX).filter((point) => {
    // Words that mark a point as open are not part of the point.
    const words = contentWords(point.replace(STILL_TO_DO, ' '));
    return !inView.some((line) => overlap(words, line) >= SHOWN_AT);
  });
  const lines = open.map((text, at): Line => ({ text, rank: (at + 1) * focus(text) }));
  return { title: 'Open points', groups: [list(lines)] };
};

/** Returns the points of an earlier summary, except tasks with later updates; and the open tasks. */
const listed = ({ previous, covered, retained, lineMax }: Material) => {
  const earlier = itemsOf(previous, 'Open points').map(({ text }) => text);
  const heardOf = Math.max(0, ...earlier.map((text) => taskIn(text) ?? 0));
  const made = tasksOf(covered.calls, heardOf);
  const now = tasksOf([...covered.calls, ...retained.calls], heardOf);
  const isStillOpen = (text: string): boolean => {
    const task = now.get(taskIn(text) ?? -1);
    return task === undefined || (task.isOpen && task.text === undefined);
  };
  return {
    earlier: earlier.filter(isStillOpen),
    tasks: [...made].flatMap(([number, { text }]) =>
      text !== undefined && now.get(number)?.isOpen ? [oneLine(taskLine(number, text), lineMax)] : [],
    ),
  };
};

const wordsByLine = ({ assistant, calls }: Conversation): readonly ReadonlySet<string>[] =>
  [...assistant.map(({ text }) => text), ...calls.map(({ what }) => what)]
    .slice(-200)
    .flatMap((text) => bounded(text, 8 * 1024).flatMap((part) => [...cleanLines(part, 300)]))
    .slice(-2_000)
    .map((line) => contentWords(line));

const spokenOf = ({ assistant }: Conversation, lineMax: number): readonly string[] =>
  assistant
    .slice(-TEXTS_READ)
    .flatMap(({ text }) => bounded(text, READ_MAX).flatMap((part) => [...cleanLines(part, lineMax)]))
    .flatMap(
      (line) => UNCHECKED.exec(line)?.[1] ?? (STILL_TO_DO.test(line) && !IS_DONE.test(line) ? line : []),
    );

/** Returns the unfinished entries of the newest plan; `undefined` without a plan. */
const todosOf = ({ calls }: Conversation): readonly string[] | undefined => {
  const entries = calls
    .map(({ input }) => input.todos ?? input.plan)
    .findLast((value) => Array.isArray(value));
  if (!Array.isArray(entries)) return undefined;
  return entries.filter(isJsonObject).flatMap((entry) => {
    const text = entry.content ?? entry.step ?? entry.title;
    return typeof text === 'string' && entry.status !== 'completed' && entry.status !== 'done' ? [text] : [];
  });
};
