import { keysOf, WORDS_MIN } from '@app/domain';
import type { Focus } from '../facts/focus.js';
import type { Group, Line, Section } from '../facts/section.js';
import { cover } from '../needs/cover.js';
import { bounded } from '../text/lines.js';
import type { Draft } from './draft.js';

/** A line with its section. */
type Offer = {
  readonly section: Section;
  readonly group: Group;
  readonly line: Line;
  readonly keys: readonly string[];
  /** Whether it includes words beside the keys. */
  readonly isWorded: boolean;
  /** The line that it is an excerpt of. */
  readonly of: string | undefined;
  readonly cost: number;
  readonly boost: number;
};

/** The keys of a line, and whether there are words beside them that say something of them. */
type LineKeys = {
  readonly keys: readonly string[];
  readonly isWorded: boolean;
  /** The line that it is an excerpt of. */
  readonly of?: string;
};

/** The value of lines, and the text that the reader sees anyway. */
export type Filling = {
  readonly worth: (key: string) => number;
  /** Whether a key occurs in the covered messages. */
  readonly isKnown: (key: string) => boolean;
  readonly focus: Focus;
  /** Keys that the retained messages show. */
  readonly inView: ReadonlySet<string>;
  /** Known keys of lines. */
  readonly keysOfLine: ReadonlyMap<Line, LineKeys>;
};

const CHARACTERS_PER_TOKEN = 4;
const LINE_OVERHEAD_TOKENS = 1.5;
const READ_MAX = 4_000;
/** Maximum lines per name, if there is room. */
const MENTIONS_MAX = 4;
/** The room counts as full after this number of lines that did not fit. */
const MISSES_MAX = 40;

/**
 * Fills the remaining room with the lines of highest expected need, of any section. A key counts once: first with
 * surrounding words, then, if there is room, without, and then in other lines.
 */
export const fill = (draft: Draft, sections: readonly Section[], filling: Filling): void => {
  const offers = offersOf(sections, filling).filter(({ line }) => !draft.texts.has(line.text));
  let misses = 0;
  const excerpts = new Map<string, Offer[]>();
  const take = (offer: Offer): boolean | undefined => {
    const { section, group, line, of } = offer;
    if (draft.texts.has(line.text) || (of !== undefined && draft.texts.has(of))) return false;
    if (draft.add(section, group, line)) {
      if (of !== undefined) excerpts.set(of, [...(excerpts.get(of) ?? []), offer]);
      for (const excerpt of excerpts.get(line.text) ?? [])
        draft.remove(excerpt.section, excerpt.group, excerpt.line);
      return true;
    }
    misses += 1;
    // Lines take less together than one by one.
    if (misses % MISSES_MAX === 0 && !draft.settle()) return undefined;
    return false;
  };
  const worded = offers.filter(({ isWorded }) => isWorded);
  const passes = [worded, offers, ...Array.from({ length: MENTIONS_MAX - 1 }, () => worded)];
  const shown = [...draft.texts].map(keysIn).flatMap(({ keys, isWorded }) => (isWorded ? keys : []));
  let covered = new Set([...filling.inView, ...shown]);
  for (const [pass, open] of passes.entries()) {
    if (pass > 1) covered = new Set(filling.inView);
    cover(open, filling.worth, covered, take);
    if (misses > 0) return;
  }
};

const offersOf = (sections: readonly Section[], { focus, keysOfLine, isKnown }: Filling): readonly Offer[] =>
  sections.flatMap((section) =>
    section.groups.flatMap((group) =>
      group.lines.flatMap((line): Offer[] => {
        const { keys, isWorded, of } = keysOfLine.get(line) ?? keysIn(line.text);
        if (keys.length === 0) return [];
        const cost = LINE_OVERHEAD_TOKENS + line.text.length / CHARACTERS_PER_TOKEN;
        const shown = withTails(keys, isKnown);
        return [{ section, group, line, keys: shown, isWorded, of, cost, boost: focus(line.text) }];
      }),
    ),
  );

/** Adds shorter names of the same file that are used. */
const withTails = (keys: readonly string[], isKnown: (key: string) => boolean): readonly string[] => {
  let all: Set<string> | undefined;
  for (const key of keys)
    for (let at = key.indexOf('/'); at >= 0 && !key.startsWith('"'); at = key.indexOf('/', at + 1)) {
      const tail = key.slice(at + 1);
      if (!isKnown(tail)) continue;
      all ??= new Set(keys);
      all.add(tail);
    }
  return all ? [...all] : keys;
};

/** The tool and the outcome in a line on a call: our words, and not beside a name in the session. */
const OWN_WORDS = /^\S{1,80}: (?=`)| → (?:ok|failed|unanswered)\b/g;
/** The quotation marks around a user quote, which are not marks of a name. */
const QUOTES = /^"|"(?: …)?$/g;

const keysIn = (text: string): LineKeys => {
  const found = bounded(text.replace(OWN_WORDS, ' '), READ_MAX).map((part) =>
    keysOf(part.replace(QUOTES, '')),
  );
  return {
    keys: found.flatMap(({ keys }) => [...keys.keys()]),
    isWorded: found.some(({ words }) => words >= WORDS_MIN),
  };
};
