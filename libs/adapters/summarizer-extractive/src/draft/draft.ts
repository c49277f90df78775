import { attributedWords, REQUIRED_SECTIONS } from '@app/domain';
import { toWellFormed } from '@app/kernel';
import type { TokenCounter } from '@app/ports';
import { type Group, type Line, SECTION_TITLES, type Section, type SectionTitle } from '../facts/section.js';
import { introduction, printed, renderSection } from './render.js';

/** The room counts as full after this number of lines that did not fit. */
const MISSES_MAX = 30;
/** Less room is not worth another look. */
const GAIN_MIN = 12;
/** Sections in the order in which they lose lines if the draft costs more than the sum of its lines. */
const GIVES_WAY: readonly SectionTitle[] = [
  'Earlier',
  'Facts',
  'Decisions',
  'Open points',
  'Commands',
  'Files',
  'Errors',
  'Constraints',
  'State',
  'Goal',
];

type Chosen = {
  section: Section;
  readonly lines: Set<Line>;
  /** Lines of each group. */
  readonly groups: Map<Group, Line[]>;
  /** The labels of the group. */
  readonly labels: Set<string>;
  spent: number;
};

/**
 * A summary under construction: takes the best offered lines of sections while there is room, and counts their cost.
 * A section may be offered again with more room.
 */
export class Draft {
  private readonly chosen = new Map<SectionTitle, Chosen>();
  /** The texts of all lines taken so far. */
  private readonly shown = new Set<string>();
  private left: number;

  constructor(
    private readonly counter: TokenCounter,
    private readonly sizeMax: number,
  ) {
    this.left = sizeMax;
    for (const title of REQUIRED_SECTIONS) this.open({ title, groups: [] });
  }

  /** Tokens that no line has taken yet. */
  get room(): number {
    return this.left;
  }

  /** Takes the `wanted` lines of `section`, best first, until it has spent `share` tokens in all. */
  take(section: Section, share: number, wanted: (line: Line) => boolean = () => true): void {
    const ranked = section.groups
      .flatMap((group) => group.lines.filter(wanted).map((line) => ({ group, line })))
      .sort((a, b) => b.line.rank - a.line.rank);
    let misses = 0;
    for (const { group, line } of ranked) {
      if (this.isThere(section, group, line) || claimsUsersWords(group, line)) continue;
      const cost = this.costOf(section, group, line);
      const spent = this.chosen.get(section.title)?.spent ?? 0;
      if (cost > this.left || spent + cost > share) misses += 1;
      else this.put(section, group, line, cost);
      if (misses >= MISSES_MAX) return;
    }
  }

  /** Adds a line if there is room; `false` if there is none, or if the draft contains its content. */
  add(section: Section, group: Group, line: Line): boolean {
    if (this.shown.has(line.text) || claimsUsersWords(group, line)) return false;
    const cost = this.costOf(section, group, line);
    if (cost > this.left) return false;
    this.put(section, group, line, cost);
    return true;
  }

  /** Removes a line whose content another line now contains. */
  remove(section: Section, group: Group, line: Line): void {
    const known = this.chosen.get(section.title);
    if (!known?.lines.delete(line)) return;
    const beside = (known.groups.get(group) ?? []).filter((one) => one !== line);
    known.groups.set(group, beside);
    this.shown.delete(line.text);
    const freed = this.counter.count(printed(group, line, true));
    known.spent -= freed;
    this.left += freed;
  }

  /** Counts all lines together, which may take less than the sum; `false` if that frees no room. */
  settle(): boolean {
    const left = -this.over(this.render());
    const gained = left - this.left;
    this.left = left;
    return gained >= GAIN_MIN;
  }

  /** The texts of all lines taken so far. */
  get texts(): ReadonlySet<string> {
    return this.shown;
  }

  /** A user sentence is quoted once; a tool fact may stand under two headings. */
  private isThere(section: Section, group: Group, line: Line): boolean {
    const known = this.chosen.get(section.title);
    return known?.lines.has(line) || (group.kind === 'quote' && this.shown.has(line.text));
  }

  /** The summary, within `sizeMax` wherever the headings alone are. */
  finish(): string {
    let text = this.render();
    // The total rarely exceeds the sum of its lines; if it does, whole lines are removed.
    for (let over = this.over(text); over > 0 && this.dropLast(over); over = this.over(text))
      text = this.render();
    return text;
  }

  private over(text: string): number {
    return this.counter.count(text) - this.sizeMax;
  }

  private render(): string {
    const sections = SECTION_TITLES.map((title) => this.chosen.get(title)).filter((one) => one !== undefined);
    return toWellFormed(sections.map(({ section, lines }) => renderSection(section, lines)).join('\n\n'));
  }

  private costOf(section: Section, group: Group, line: Line): number {
    const known = this.chosen.get(section.title);
    const beside = known?.groups.get(group) ?? [];
    const label = introduction(group, beside, line);
    const isNamed = beside.some(({ id }) => id === line.id);
    return (
      this.counter.count(printed(group, line, isNamed)) +
      (known?.labels.has(label) ? 0 : this.counter.count(label)) +
      (known ? 0 : this.headCost(section))
    );
  }

  private headCost({ title }: Section): number {
    return this.counter.count(`\n\n## ${title}\n`);
  }

  private open(section: Section): Chosen {
    const opened: Chosen = { section, lines: new Set(), groups: new Map(), labels: new Set(), spent: 0 };
    this.left -= this.headCost(section);
    this.chosen.set(section.title, opened);
    return opened;
  }

  private put(section: Section, group: Group, line: Line, cost: number): void {
    const known = this.chosen.get(section.title);
    const head = known ? 0 : this.headCost(section);
    const chosen = known ?? this.open(section);
    chosen.section = section;
    chosen.lines.add(line);
    this.shown.add(line.text);
    const beside = chosen.groups.get(group) ?? [];
    if (group.kind === 'list') chosen.labels.add(introduction(group, beside, line));
    chosen.groups.set(group, beside);
    beside.push(line);
    chosen.spent += cost - head;
    this.left -= cost - head;
  }

  /** Drops lines of about `tokens` from the section of lowest priority; `false` without lines. */
  private dropLast(tokens: number): boolean {
    const title = GIVES_WAY.find((one) => (this.chosen.get(one)?.lines.size ?? 0) > 0);
    const last = title && this.chosen.get(title);
    if (!title || !last) return false;
    let freed = 0;
    for (const line of [...last.lines].reverse()) {
      last.lines.delete(line); // The newest choice is the least.
      freed += this.counter.count(line.text);
      if (freed >= tokens) break;
    }
    const required: readonly string[] = REQUIRED_SECTIONS;
    if (last.lines.size === 0 && !required.includes(title)) this.chosen.delete(title);
    return true;
  }
}

/** Returns whether a line of a tool or of the assistant attributes words to the user: only quotes may. */
const claimsUsersWords = (group: Group, line: Line): boolean =>
  group.kind === 'list' && attributedWords(line.text).length > 0;
