import { goodResult, type SummarizerTurn } from './scripted-summarizer.js';

/** A gate at which a summarizer waits until the test opens it. */
export type Gate = {
  readonly turn: SummarizerTurn;
  open(): void;
  /** Resolves when the summarizer has reached it. */
  readonly arrived: Promise<void>;
};

export const gate = (): Gate => {
  const [arrived, arrive] = signal();
  const [opened, open] = signal();
  const turn: SummarizerTurn = async () => {
    arrive();
    await opened;
    return goodResult('what waited');
  };
  return { turn, open, arrived };
};

const signal = (): [Promise<void>, () => void] => {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => {
    send = resolve;
  });
  return [sent, () => send()];
};
