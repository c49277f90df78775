import type { ProfileSource } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../../api.js';
import { Loaded, Loading, OccupancyBar, Refusal } from '../../parts/basics.js';
import { ChoiceField, TextField } from '../../parts/fields.js';
import { useResource } from '../../parts/resource.js';
import { Table } from '../../parts/table.js';
import { dollars } from '../../parts/text.js';
import { Actions } from '../actions.js';
import type { ViewProps } from '../view-props.js';
import { Comparison } from './comparison.js';
import { measures, stagesOf, type Trial } from './trials.js';

/** Trial compactions under each profile, a comparison of two, and the actions that apply one. */
export const WhatIfPage = (props: ViewProps) => {
  const { session, view } = props;
  const [chosen, setChosen] = useState<string>();
  const [changed, setChanged] = useState<ProfileSource>();
  const whatIf = useResource(
    (signal) => api().compactions.whatIf(session, [], { signal }),
    [session, view.revision],
  );
  const more = useResource(
    async (signal) =>
      changed === undefined ? undefined : api().compactions.whatIf(session, [changed], { signal }),
    [session, view.revision, changed],
  );
  const outcomes = [...(whatIf.value?.outcomes ?? []), ...(more.value?.outcomes ?? [])];
  const trials = outcomes.map(
    (outcome): Trial => ({
      name: outcome.isOwn ? `${outcome.profile} (the session’s)` : outcome.profile,
      source: outcome.isOwn ? undefined : outcome.profile === CHANGED ? changed : outcome.profile,
      outcome,
      now: whatIf.value?.tokens ?? 0,
    }),
  );
  const trial = trials.find(({ name }) => name === chosen) ?? trials[0];
  return (
    <section aria-label="What if">
      <p class="lead">
        The result of a compaction now under each profile, tried without a model and not recorded. A model’s
        summary may keep more. Costs are list prices of {view.settings.model} without a prompt cache.
      </p>
      <Actions {...props} profile={trial?.source} />
      <Loaded of={whatIf} what="the trials">
        {({ tokens, window, state, requestNanoUsd }) => (
          <>
            <p>
              Now: <OccupancyBar occupancy={tokens} window={window} state={state} />;{' '}
              {requestNanoUsd === null
                ? 'its model has no list price'
                : `a request’s input costs ${dollars(requestNanoUsd)}`}
              .
            </p>
            <Table
              label="Trials by profile"
              rows={trials}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Profile',
                  cell: ({ name }) => (
                    <label class="check">
                      <input
                        type="radio"
                        name="profile"
                        checked={name === trial?.name}
                        onChange={() => setChosen(name)}
                      />
                      <span>{name}</span>
                    </label>
                  ),
                },
                ...measures.map(({ title, text }) => ({ title, isNumber: true, cell: text })),
                { title: 'Stages, or why not', cell: stagesOf },
              ]}
            />
            <Changed
              bases={[...new Set(trials.map(({ outcome }) => outcome.profile))].filter(
                (name) => name !== CHANGED,
              )}
              onTry={setChanged}
            />
            {changed !== undefined && more.isLoading && <Loading what="the trial" />}
            {more.error !== undefined && <Refusal error={more.error} />}
            <Comparison session={session} revision={view.revision} trials={trials} />
          </>
        )}
      </Loaded>
    </section>
  );
};

/** The name of a profile that is changed here. */
const CHANGED = 'changed-here';

type ChangedProps = { readonly bases: readonly string[]; readonly onTry: (profile: ProfileSource) => void };

/** A profile with other limits, such as more turns that stay, which joins the trials. */
const Changed = ({ bases, onTry }: ChangedProps) => {
  const [base, setBase] = useState<string>();
  const [fields, setFields] = useState('{"keepRecentTurns": 2}');
  const [fault, setFault] = useState('');
  return (
    <details>
      <summary>Try a changed profile</summary>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          try {
            onTry({ ...JSON.parse(fields), extends: base ?? bases[0], name: CHANGED });
            setFault('');
          } catch {
            setFault('Give the changed fields as a JSON object: palimpsest profiles lists them.');
          }
        }}
      >
        <ChoiceField title="Of profile" value={base ?? bases[0] ?? ''} options={bases} onValue={setBase} />
        <TextField title="Changed fields, as JSON" value={fields} onValue={setFields} required />
        <button type="submit">Try it</button>
      </form>
      <p role="alert">{fault}</p>
    </details>
  );
};
