import { useEffect, useRef, useState } from 'preact/hooks';

/** Something that is loaded: a former value stays while a new one is on its way. */
export type Resource<Value> = {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

type State<Value> = Omit<Resource<Value>, 'reload'>;

/**
 * Loads a value anew whenever one of `on` changes; answers of earlier loads are dropped.
 *
 * @param refresh a number; another one loads the same value again, which stays until then.
 */
export const useResource = <Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  on: readonly unknown[],
  refresh = 0,
): Resource<Value> => {
  const [state, setState] = useState<State<Value>>({ value: undefined, error: undefined, isLoading: true });
  const [round, setRound] = useState(0);
  const key = JSON.stringify(on.map((one) => one ?? null));
  const loaded = useRef<string>('');
  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({
      value: loaded.current === key ? before.value : undefined,
      error: undefined,
      isLoading: true,
    }));
    load(stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return;
        loaded.current = key;
        setState({ value, error: undefined, isLoading: false });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ value: undefined, error, isLoading: false });
      },
    );
    return () => stop.abort();
  }, [key, round, refresh]);
  return { ...state, reload: () => setRound((before) => before + 1) };
};
