import type { Call } from './calls.js';

/** An entry of an incremental task list; the text is unknown if it was created before the first call. */
export type Task = { readonly text: string | undefined; readonly isOpen: boolean };

const CREATED = 'TaskCreate';
const UPDATED = 'TaskUpdate';
const CLOSED = new Set(['completed', 'done', 'deleted', 'cancelled']);
const NUMBER = /#(\d+)/;

/** Returns the listed form of a task, which later summaries parse. */
export const taskLine = (number: number, text: string): string => `#${number}: ${text}`;
/** The task that a line of an earlier summary is about. */
export const taskIn = (line: string): number | undefined => numberIn(/^#\d+(?=: )/.exec(line)?.[0] ?? '');

/**
 * Returns tasks by number. The result of a tool contains the number; without it, a task gets the one after the
 * highest known.
 *
 * @param heardOf the highest number before all of the calls.
 */
export const tasksOf = (calls: readonly Call[], heardOf: number): ReadonlyMap<number, Task> => {
  const tasks = new Map<number, Task>();
  let newest = heardOf;
  for (const { name, input, output, outcome } of calls) {
    if (outcome === 'failed') continue;
    const { subject, status, taskId } = input;
    const text = typeof subject === 'string' ? subject : undefined;
    if (name === CREATED && text !== undefined) {
      const number = numberIn(output) ?? newest + 1;
      newest = Math.max(newest, number);
      tasks.set(number, { text, isOpen: true });
    } else if (name === UPDATED) {
      const number = numberIn(`#${String(taskId)}`);
      if (number === undefined) continue;
      newest = Math.max(newest, number);
      const task = tasks.get(number);
      const isOpen = typeof status === 'string' ? !CLOSED.has(status) : (task?.isOpen ?? true);
      tasks.set(number, { text: text ?? task?.text, isOpen });
    }
  }
  return tasks;
};

const numberIn = (text: string): number | undefined => {
  const found = NUMBER.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};
