import { diffLines } from 'diff';
import { useMemo } from 'preact/hooks';
import { Each } from '../parts/each.js';

/** Characters of both texts together. */
const DIFFED_MAX = 200_000;
/** Milliseconds after which a comparison is given up. */
const TIMEOUT_MS = 500;
/** Lines of unchanged text that stay around a change. */
const AROUND = 3;

/** The change from one text to another, line by line; signs repeat the colours. */
export const DiffView = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const parts = useMemo(
    () =>
      before.length + after.length > DIFFED_MAX
        ? undefined
        : diffLines(before, after, { timeout: TIMEOUT_MS }),
    [before, after],
  );
  if (!parts) return <pre class="plain">{after}</pre>;
  return (
    <pre class="diff">
      <Each of={parts}>
        {({ value, added, removed }, at) => {
          const sign = added ? '+' : removed ? '−' : ' ';
          const lines = value.replace(/\n$/, '').split('\n');
          const shown = added || removed ? lines : shortened(lines, at === 0, at === parts.length - 1);
          return (
            <span class={added ? 'added' : removed ? 'removed' : ''}>
              {shown.map((line) => `${sign} ${line}\n`).join('')}
            </span>
          );
        }}
      </Each>
    </pre>
  );
};

const shortened = (lines: readonly string[], isFirst: boolean, isLast: boolean): readonly string[] => {
  const head = isFirst ? 0 : AROUND;
  const tail = isLast ? 0 : AROUND;
  const omitted = lines.length - head - tail;
  if (omitted <= 1) return lines;
  return [...lines.slice(0, head), `… ${omitted} unchanged lines`, ...(tail === 0 ? [] : lines.slice(-tail))];
};
