import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Makes an element a tab stop as long as it has more to show than fits, so that the keyboard scrolls it. */
export const useScrollStop = (box: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      if (scrollWidth > clientWidth || scrollHeight > clientHeight) element.tabIndex = 0;
      else element.removeAttribute('tabindex');
    };
    const observer = new ResizeObserver(measure);
    for (const one of [element, ...element.children]) observer.observe(one);
    return () => observer.disconnect();
  }, []);
};

/** A named part of a page that scrolls by itself. */
export const ScrollArea = (props: {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) => {
  const box = useRef<HTMLElement>(null);
  useScrollStop(box);
  return (
    <section ref={box} class={`scroll ${props.class ?? ''}`} aria-label={props.label}>
      {props.children}
    </section>
  );
};
