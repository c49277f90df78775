import { itemsOf } from '../facts/previous.js';
import { type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';
import { oneLine } from '../text/one-line.js';

/** Shell commands with their last outcome, the most recent ones; a command that ran again counts once. */
export const commandsSection = ({ covered, previous, focus, lineMax }: Material): Section => {
  const latest = new Map<string, string>();
  for (const { command, what, outcome, error } of covered.calls) {
    if (command === undefined) continue;
    const ended = error === undefined ? outcome : `${outcome}, ${error}`;
    latest.delete(command);
    latest.set(command, oneLine(`${what} → ${ended}`, lineMax));
  }
  const lines = [...latest.values()];
  const commandOf = (line: string): string => line.slice(0, Math.max(0, line.lastIndexOf(' → ')));
  const again = new Set(lines.map(commandOf));
  const before = itemsOf(previous, 'Commands')
    .map(({ text }) => text)
    .filter((text) => !again.has(commandOf(text)));
  const ranked = [...before, ...lines].map((text, at): Line => ({ text, rank: (at + 1) * focus(text) }));
  return { title: 'Commands', groups: [list(ranked)] };
};
