import type { WhatIfOutcome } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { Loaded, OccupancyBar } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { ScrollArea } from '../parts/scroll-area.js';
import { count, fidelity, percent } from '../parts/text.js';
import { Actions } from './actions.js';
import type { ViewProps } from './view-props.js';

/** What a compaction would do now under each profile, and the actions that do it. */
export const WhatIfPage = (props: ViewProps) => {
  const { session, view } = props;
  const [profile, setProfile] = useState<string>();
  const whatIf = useResource(
    (signal) => api().compactions.whatIf(session, [], { signal }),
    [session, view.revision],
  );
  return (
    <section aria-label="What if">
      <p class="lead">
        What a compaction would do now under each profile, tried without a model: nothing of it is recorded. A
        model’s summary may keep more, and costs what the model bills.
      </p>
      <Actions {...props} profile={profile} />
      <Loaded of={whatIf} what="the trials">
        {({ tokens, window, state, outcomes }) => (
          <>
            <p>
              Now: <OccupancyBar occupancy={tokens} window={window} state={state} /> billed tokens.
            </p>
            <Table outcomes={outcomes} now={tokens} profile={profile} onChoose={setProfile} />
          </>
        )}
      </Loaded>
    </section>
  );
};

type TableProps = {
  readonly outcomes: readonly WhatIfOutcome[];
  readonly now: number;
  readonly profile: string | undefined;
  readonly onChoose: (profile: string | undefined) => void;
};

const Table = ({ outcomes, now, profile, onChoose }: TableProps) => (
  <ScrollArea label="Trials by profile">
    <table>
      <thead>
        <tr>
          <th scope="col">Profile</th>
          <th scope="col" class="number">
            Billed tokens after
          </th>
          <th scope="col" class="number">
            Change
          </th>
          <th scope="col" class="number">
            Summary, counted
          </th>
          <th scope="col" class="number">
            Messages covered
          </th>
          <th scope="col" class="number">
            Fidelity
          </th>
          <th scope="col" class="number">
            Directives kept
          </th>
          <th scope="col">Stages, or why not</th>
        </tr>
      </thead>
      <tbody>
        {outcomes.map((one) => (
          <tr key={`${one.profile} ${one.isOwn}`}>
            <td>
              <label class="check">
                <input
                  type="radio"
                  name="profile"
                  checked={one.isOwn ? profile === undefined : profile === one.profile}
                  onChange={() => onChoose(one.isOwn ? undefined : one.profile)}
                />
                <span>
                  {one.profile}
                  {one.isOwn && <span class="label">the session’s</span>}
                </span>
              </label>
            </td>
            <Outcome outcome={one} now={now} />
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollArea>
);

const Outcome = ({ outcome, now }: { readonly outcome: WhatIfOutcome; readonly now: number }) => {
  if (outcome.plan === null) return <Nothing says={`skipped: ${outcome.reason.rule}`} />;
  const { plan, trial } = outcome;
  if ('refused' in trial) return <Nothing says={`refused: ${trial.refused}`} />;
  const { directives } = trial.fidelity ?? {};
  return (
    <>
      <td class="number">{count(trial.billedAfter)}</td>
      <td class="number">{now === 0 ? '' : `−${percent(1 - trial.billedAfter / now)}`}</td>
      <td class="number">{count(trial.summaryTokens)}</td>
      <td class="number">{count(plan.covered.messages)}</td>
      <td class="number">{trial.fidelity ? fidelity(trial.fidelity.score) : '–'}</td>
      <td class="number">{directives ? `${directives.kept} of ${directives.of}` : '–'}</td>
      <td>{plan.stages.join(', ')}</td>
    </>
  );
};

const Nothing = ({ says }: { readonly says: string }) => (
  <>
    <td class="number">–</td>
    <td class="number">–</td>
    <td class="number">–</td>
    <td class="number">–</td>
    <td class="number">–</td>
    <td class="number">–</td>
    <td>{says}</td>
  </>
);
