import type { SessionEvent } from '../../session/events.js';
import type { SessionProtection } from '../../session/protection.js';

export type ProtectionChange = Extract<
  SessionEvent,
  {
    readonly type:
      | 'RetentionPeriodSet'
      | 'RetentionPeriodRemoved'
      | 'RetentionPeriodEnded'
      | 'LegalHoldPlaced'
      | 'LegalHoldReleased';
  }
>;

const TYPES: Readonly<Record<ProtectionChange['type'], true>> = {
  RetentionPeriodSet: true,
  RetentionPeriodRemoved: true,
  RetentionPeriodEnded: true,
  LegalHoldPlaced: true,
  LegalHoldReleased: true,
};
export const isProtectionType = (type: string): type is ProtectionChange['type'] =>
  Object.hasOwn(TYPES, type);
export const isProtectionChange = (event: SessionEvent): event is ProtectionChange =>
  isProtectionType(event.type);

/** Whether an event is one that retention periods count from: none about the keeping and the erasure of the session itself. */
export const isActivity = (event: SessionEvent): boolean =>
  !isProtectionChange(event) && event.type !== 'ContentErased';

/** Folds retention periods and legal holds. Nothing of a request depends on them. */
export const changeProtection = (
  { period, holds }: SessionProtection,
  { type, data }: ProtectionChange,
): SessionProtection => {
  const kept = period && { period };
  switch (type) {
    case 'RetentionPeriodSet': {
      const { mode, until, days } = data;
      return { holds, period: { mode, until, ...(days !== undefined && { days }) } };
    }
    case 'RetentionPeriodRemoved':
    case 'RetentionPeriodEnded':
      return { holds };
    case 'LegalHoldPlaced': {
      const { matter, reason, by, at } = data;
      return {
        ...kept,
        holds: [...holds.filter((hold) => hold.matter !== matter), { matter, reason, by, at }],
      };
    }
    case 'LegalHoldReleased':
      return { ...kept, holds: holds.filter(({ matter }) => matter !== data.matter) };
  }
};
