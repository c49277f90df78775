import type { SessionEvent } from '@app/domain';
import { MessageId, Revision, SessionId, sessionStream } from '@app/kernel';
import fc from 'fast-check';
import { appended, billed, completed, everything, opened, requested, started } from './events.js';
import { ScriptedLog, TENANT } from './scripted-log.js';

/** The next step, in one of a few sessions or in a foreign stream. */
type Step = { readonly session: number; readonly what: number; readonly size: number };
export type Script = readonly Step[];

export const scripts = (maxLength = 120): fc.Arbitrary<Script> =>
  fc.array(
    fc.record({
      session: fc.integer({ min: 0, max: 3 }),
      what: fc.integer({ min: 0, max: 11 }),
      size: fc.integer({ min: 0, max: 9 }),
    }),
    { minLength: 5, maxLength },
  );

/** Ids are few, so that they repeat; the history need not be plausible. */
const eventsOf = ({ what, size }: Step): readonly SessionEvent[] => {
  const id = `c-${size % 3}`;
  const message = MessageId(`m-${size}`);
  switch (what) {
    case 0:
      return [opened()];
    case 1:
      return [billed(size * 100, { messageId: message })];
    case 2:
      return [requested(id)];
    case 3:
      return [started(id, size)];
    case 4:
      return [completed(id, { cut: { messageId: message, revision: Revision(0) } })];
    case 5:
      return everything('words').slice(size, size * 3 + 1);
    case 6:
      return [opened(), ...everything('words')];
    case 7:
      return [appended(`m-${size}`, size, { role: 'system' })];
    default:
      return [appended(`m-${size}`, size * 10)];
  }
};

export const append = (log: ScriptedLog, script: Script): void => {
  for (const step of script) {
    if (step.what === 11) log.appendForeign();
    else log.append(eventsOf(step), sessionStream(TENANT, SessionId(`s-${step.session}`)));
  }
};
export const logOf = (script: Script): ScriptedLog => {
  const log = new ScriptedLog();
  append(log, script);
  return log;
};
