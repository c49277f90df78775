import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** Keys of a page by `KeyboardEvent.key`, or two after each other such as `g s`, with the description of each. */
export type Keys = { readonly [key: string]: { readonly what: string; readonly run: () => void } };

const active = signal<readonly Keys[]>([]);

/** All keys of the present page, for the list. */
export const allKeys = (): readonly (readonly [key: string, what: string])[] =>
  active.value.flatMap((keys) => Object.entries(keys).map(([key, { what }]) => [key, what] as const));

/** Adds keys as long as a component is shown. They do nothing while a field is being edited. */
export const useKeys = (keys: Keys): void => {
  const newest = useRef(keys);
  newest.current = keys;
  const names = Object.keys(keys).join();
  useEffect(() => {
    const entry: Keys = Object.fromEntries(
      Object.entries(newest.current).map(([key, { what }]) => [
        key,
        { what, run: () => newest.current[key]?.run() },
      ]),
    );
    active.value = [...active.value, entry];
    return () => {
      active.value = active.value.filter((one) => one !== entry);
    };
  }, [names]);
};

let before = '';
addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || isEdited(target, key)) return;
  const pair = `${before} ${key}`;
  before = key;
  const found = active.value.map((keys) => keys[pair] ?? keys[key]).findLast((one) => one !== undefined);
  if (!found) return;
  event.preventDefault();
  before = '';
  found.run();
});

const isEdited = (target: EventTarget | null, key: string): boolean => {
  if (!(target instanceof Element)) return false;
  if (target.closest('dialog[open]')) return true;
  if (target.matches('input[type="range"], [role="button"]'))
    return key.startsWith('Arrow') || key === 'Enter';
  return target.matches('input:not([type="checkbox"]), select, textarea');
};
