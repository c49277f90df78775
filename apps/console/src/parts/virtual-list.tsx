import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useScrollStop } from './scroll-area.js';

type Rows = {
  readonly rows: number;
  /** Pixels. */
  readonly rowHeight: number;
  /** Called with the range of rows in view, including rows that are not loaded yet. */
  readonly onRange?: ((first: number, last: number) => void) | undefined;
  /** A row to bring into view. */
  readonly show?: number | undefined;
};

/** Rows beyond the edges that are rendered, so that scrolling shows no gaps. */
const MARGIN = 12;
/** Pixels: browsers lay out no taller elements. Longer lists are compressed. */
const HEIGHT_MAX = 8_000_000;

/** Rows to render: from `first` up to `last`, which is not in it; `top` and `height` in pixels. */
type Rendered = {
  readonly box: RefObject<HTMLElement | null>;
  readonly onScroll: () => void;
  readonly first: number;
  readonly last: number;
  readonly top: number;
  readonly height: number;
};

/** Returns which of many rows of one height are in view in a scrolling box. */
export const useRowsInView = ({ rows, rowHeight, onRange, show }: Rows): Rendered => {
  const box = useRef<HTMLElement>(null);
  useScrollStop(box);
  const [view, setView] = useState({ top: 0, height: 600 });
  const height = Math.min(rows * rowHeight, HEIGHT_MAX);
  const scale = height === 0 ? 1 : (rows * rowHeight) / height;
  const measure = useCallback(() => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || show === undefined) return;
    const at = (show * rowHeight) / scale;
    if (at < element.scrollTop || at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = Math.max(0, at - element.clientHeight / 3);
  }, [show, rows]);
  const middle = view.top * scale;
  const first = Math.max(0, Math.floor(middle / rowHeight) - MARGIN);
  const last = Math.min(rows, Math.ceil((middle + view.height) / rowHeight) + MARGIN);
  useEffect(() => onRange?.(first, last), [first, last, rows]);
  return { box, onScroll: measure, first, last, height, top: first * rowHeight - middle + view.top };
};

type Props = Rows & {
  readonly label: string;
  /** Called with the row that a key chooses: the row of `show` is the one tab stop, and arrow keys lead to the others. */
  readonly onChoose: (row: number) => void;
  readonly render: (row: number) => ComponentChildren;
  readonly class?: string;
};

/** A list of rows of one height, of which only those in view are elements. */
export const VirtualList = ({ label, render, onChoose, ...props }: Props) => {
  const { box, onScroll, first, last, top, height } = useRowsInView(props);
  const toFocus = useRef<number | undefined>(undefined);
  // A chosen row is an element only after the list has scrolled to it, which takes a render or several.
  useEffect(() => {
    const row = toFocus.current;
    if (row === undefined || row !== props.show || row < first || row >= last) return;
    toFocus.current = undefined;
    box.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -props.rows, End: props.rows }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    const row = Math.min(props.rows - 1, Math.max(0, (props.show ?? 0) + by));
    if (row !== props.show) toFocus.current = row;
    onChoose(row);
  };
  return (
    <section
      class={`virtual ${props.class ?? ''}`}
      ref={box}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      aria-label={label}
    >
      <div class="virtual-all" style={{ height: `${height}px` }}>
        <ul class="virtual-rows" style={{ transform: `translateY(${top}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, at) => render(first + at))}
        </ul>
      </div>
    </section>
  );
};
