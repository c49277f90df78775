import { fold, initialState, type SessionCommand, withoutReverted } from '@app/domain';
import { Actor, CompactionId, IsoTime, MatterName, PinId, Tokens } from '@app/kernel';
import { deferCompactions, releaseCompactions, reportEdits, SESSION } from '../builders/index.js';
import { openOf, type SessionRun } from '../specification/index.js';
import type { Step } from './steps.js';

const KEEPER = Actor('keeper');
const NOW = IsoTime('2026-01-01T00:00:00Z');

/** Returns the command of a management step; `undefined` if it would be rejected. */
export const manage = (
  { what, which }: Extract<Step, { do: 'manage' }>,
  past: SessionRun,
  at: number,
): SessionCommand | undefined => {
  const session = openOf(past);
  const common = { sessionId: SESSION };
  const reason = 'a test';
  switch (what) {
    case 'reset': {
      const compactionId = CompactionId(`reset-${at}`);
      return { type: 'ResetSession', data: { ...common, compactionId, reason, confirm: true } };
    }
    case 'revert':
      return revert(past);
    case 'pin': {
      const text = `pinned at ${at} ${'👩'.slice(which % 2)}`; // Half of the pins hold a lone surrogate.
      const pin = {
        pinId: PinId(`p${which}`),
        kind: 'constraint' as const,
        text,
        tokens: Tokens(text.length),
      };
      return { type: 'PinContent', data: { ...common, pin } };
    }
    case 'unpin': {
      const pin = session.pins[which];
      return pin && { type: 'UnpinContent', data: { ...common, pinId: pin.pinId } };
    }
    case 'settings': {
      const profile = { ...session.profile, keepRecentTurns: which + 1 };
      return { type: 'ChangeSettings', data: { ...common, profile } };
    }
    case 'edits': {
      const compaction = which === 0 ? {} : { compaction: {} };
      return reportEdits({ clearedThinkingTurns: which, ...compaction }, `answer ${at - (at % 2)}`);
    }
    case 'switch-model': {
      const limits = { ...session.limits, window: Tokens(session.limits.window + 500 * which) };
      return { type: 'SwitchModel', data: { ...common, model: `claude-opus-4-${5 + which}`, limits } };
    }
    case 'cancel': {
      const compactionId = (session.compaction ?? session.deferred)?.compactionId;
      return compactionId && { type: 'CancelCompaction', data: { ...common, compactionId, reason } };
    }
    case 'defer':
      return deferCompactions(which % 2 === 0 ? 'turn-end' : 'released');
    case 'release':
      return releaseCompactions();
    case 'hold':
    case 'unhold': {
      const matter = MatterName(`case-${which}`);
      const isHeld = session.protection.holds.some((hold) => hold.matter === matter);
      if (what === 'unhold' && !isHeld) return undefined;
      const type = what === 'hold' ? 'PlaceLegalHold' : 'ReleaseLegalHold';
      return { type, data: { ...common, matter, reason, by: KEEPER, now: NOW } };
    }
    case 'retain': {
      const until = IsoTime(new Date(Date.parse(NOW) + (at + 1) * 86_400_000));
      const period = { mode: 'governance', until, reason, mayShorten: true } as const;
      return { type: 'SetRetention', data: { ...common, ...period, by: KEEPER, now: NOW } };
    }
    case 'describe':
      return {
        type: 'DescribeSession',
        data: { ...common, title: `Title ${at}`, labels: { [`l${which}`]: null, at: `${at}` } },
      };
  }
};

const revert = ({ stream, ...past }: SessionRun): SessionCommand | undefined => {
  const { pivot, turn } = openOf({ stream, ...past });
  if (!pivot || pivot.turn < turn) return undefined;
  const reverted = stream.flatMap(({ event }) =>
    event.type === 'CompactionReverted' ? [event.data.compactionId] : [],
  );
  const { compactionId } = pivot;
  const without = fold(initialState, withoutReverted(stream, new Set([...reverted, compactionId])));
  return { type: 'RevertCompaction', data: { sessionId: SESSION, compactionId, reason: 'a test', without } };
};
