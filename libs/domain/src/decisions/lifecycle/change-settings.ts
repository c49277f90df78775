import { canonicalJson, Tokens } from '@app/kernel';
import { type Limits, outputReserve, stateThresholds } from '../../budget/limits.js';
import { requireValidProfile } from '../../profiles/fields/require-valid-profile.js';
import { profileFor } from '../../profiles/for-model.js';
import type { Profile } from '../../profiles/profile.js';
import type { EventOf } from '../../session/events.js';
import type { Decide } from '../commands.js';
import { cancelled } from '../compactions/cancel-compaction.js';
import { doubleConfigured } from '../provider/report-edits.js';
import { occupancyAfter } from '../state-after.js';

/** Changes the settings from the next budget check on; records nothing if they are equal to the current ones. */
export const changeSettings: Decide<'ChangeSettings'> = ({ data }, session) => {
  const profile: Profile = data.profile ?? session.policy;
  const limits: Limits = data.limits ?? session.limits;
  requireValidProfile(profile);
  outputReserve(limits, profileFor(profile, session.model)); // Refuses a window that leaves no room.
  const changed = [
    ...changedFields(session.policy, profile),
    ...(canonicalJson(limits) === canonicalJson(session.limits) ? [] : ['window']),
  ];
  if (changed.length === 0) return [];
  return [
    ...(profile.mode === 'off' ? cancelled(session, 'caller', 'compaction was switched off') : []),
    { type: 'SettingsChanged', data: { profile, limits, changed } },
    ...doubleConfigured(profile, 'settings-changed', session.policy),
  ];
};

const changedFields = (before: Profile, after: Profile): readonly string[] => {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...fields].filter((field) => canonicalJson(old.get(field)) !== canonicalJson(now.get(field)));
};

/** Switches the model from the next request on. With a smaller window, the next check may request a compaction. */
export const switchModel: Decide<'SwitchModel'> = ({ data: { model, limits } }, session) => {
  if (model === session.model && canonicalJson(limits) === canonicalJson(session.limits)) return [];
  const profile = profileFor(session.policy, model);
  outputReserve(limits, profile);
  const switched: EventOf<'ModelSwitched'> = {
    type: 'ModelSwitched',
    data: {
      from: session.model,
      model,
      limits,
      occupancyAfter: Tokens(0),
      thresholds: stateThresholds(limits, profile),
    },
  };
  return [{ ...switched, data: { ...switched.data, occupancyAfter: occupancyAfter(session, switched) } }];
};
