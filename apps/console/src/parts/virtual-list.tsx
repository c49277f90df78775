import type { ComponentChildren, Ref } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

type Props = {
  readonly rows: number;
  /** Pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly render: (row: number) => ComponentChildren;
  /** Called with the rows in view, also of those that are not loaded yet. */
  readonly onRange?: (first: number, last: number) => void;
  readonly role?: 'list' | 'rowgroup';
  /** A row to bring into view. */
  readonly show?: number | undefined;
  readonly class?: string;
};

/** Rows beyond the edges that are rendered, so that scrolling shows no gaps. */
const MARGIN = 12;
/** Pixels: browsers lay out no taller elements. Longer lists are compressed. */
const HEIGHT_MAX = 8_000_000;

/** A list of rows of one height, of which only those in view are elements. */
export const VirtualList = (props: Props) => {
  const { rows, rowHeight, render, onRange, show } = props;
  const box = useRef<HTMLDivElement>(null);
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
  useEffect(() => onRange?.(first, last), [first, last]);
  const offset = first * rowHeight - middle + view.top;
  return (
    <div
      class={`virtual ${props.class ?? ''}`}
      ref={box as Ref<HTMLDivElement>}
      onScroll={measure}
      tabIndex={0}
      role={props.role ?? 'list'}
      aria-label={props.label}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${height}px` }}>
        <div class="virtual-rows" role="presentation" style={{ transform: `translateY(${offset}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, at) => render(first + at))}
        </div>
      </div>
    </div>
  );
};
