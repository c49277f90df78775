import type { SessionView } from '@app/client';
import type { ComponentChildren } from 'preact';
import { api } from '../api.js';
import { recording } from '../offline.js';
import { Loaded, Loading, OccupancyBar, PageHead, Refusal, SessionLink, State } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { Tabs } from '../parts/tabs.js';
import { counted } from '../parts/text.js';
import { hrefOf, place } from '../router.js';
import { CompactionsPage } from './compactions/compactions-page.js';
import { ContextPage } from './context-page.js';
import { LogPage } from './log-page.js';
import { MessagePage } from './message-page.js';
import { Overview } from './overview.js';
import { ProofPage } from './proof/proof-page.js';
import { Protection } from './protection.js';
import { RetentionPage } from './retention/retention-page.js';
import { SharePage } from './share/share-page.js';
import { useLive } from './use-live.js';
import { WhatIfPage } from './what-if/what-if-page.js';

const VIEWS = [
  { name: '', title: 'Occupancy', view: Overview },
  { name: 'context', title: 'Context', view: ContextPage },
  { name: 'compactions', title: 'Compactions', view: CompactionsPage },
  { name: 'retention', title: 'Retention', view: RetentionPage },
  { name: 'log', title: 'Log', view: LogPage },
  { name: 'what-if', title: 'What if', view: WhatIfPage },
  { name: 'proof', title: 'Proof', view: ProofPage },
  { name: 'share', title: 'Share', view: SharePage },
] as const;

/** One session, in several views; the address names the view. */
export const SessionPage = ({ session }: { readonly session: string }) => {
  const round = useLive(session);
  const shown = useResource((signal) => api().sessions.get(session, { signal }), [session], round);
  const [, , name = ''] = place.value.path;
  if (shown.error !== undefined)
    return (
      <>
        <PageHead title={session}>This session cannot be shown.</PageHead>
        <Refusal error={shown.error} retry={shown.reload} />
        <p>
          <a href={hrefOf(['sessions'])}>All sessions</a>
        </p>
      </>
    );
  if (shown.value === undefined)
    return (
      <>
        <PageHead title={session}>One session, in several views.</PageHead>
        <Loading what="the session" />
      </>
    );
  return (
    <Loaded of={shown} what="the session">
      {(view) => {
        const View =
          name === 'messages' ? MessagePage : (VIEWS.find((one) => one.name === name)?.view ?? Overview);
        return (
          <>
            <PageHead title={view.title ?? session}>
              <Facts view={view} />
            </PageHead>
            <Protection view={view} round={round} />
            <ViewTabs session={session} at={name === 'messages' ? 'log' : name} />
            <View session={session} view={view} round={round} reload={shown.reload} />
          </>
        );
      }}
    </Loaded>
  );
};

const Facts = ({ view }: { readonly view: SessionView }): ComponentChildren => (
  <>
    A session of {view.agent ?? 'an agent'} with {counted(view.messages, 'message')} in{' '}
    {counted(view.turn, 'turn')} and {counted(view.compactions, 'compaction')}, for{' '}
    {view.settings.model === 'unknown' ? 'an unknown model' : view.settings.model}.
    {view.parent !== null && (
      <>
        {' '}
        A sub-agent of <SessionLink session={view.parent} />.
      </>
    )}
    {!recording && (
      <>
        {' '}
        <a href={hrefOf(['sessions'], { parent: view.session })}>Its sub-agents</a>.
      </>
    )}
    <span class="next">
      Next request: <OccupancyBar {...view.budget} />, <State state={view.budget.state} />.
    </span>
    {view.status === 'closed' && <span class="label">closed</span>}
    {view.hold && <span class="label">automatic compactions wait</span>}
    {view.budget.ladder && <span class="label">requests are shortened</span>}
    {view.budget.duplicateCompaction && <span class="label">its provider compacts, too</span>}
    {view.compaction && <span class="label">compaction {view.compaction.status}</span>}
  </>
);

type ViewTabsProps = { readonly session: string; readonly at: string };

const ViewTabs = ({ session, at }: ViewTabsProps) => (
  <Tabs
    class="tabs"
    label="Views of the session"
    tabs={VIEWS.filter(({ name }) => !recording || !['what-if', 'share'].includes(name)).map(
      ({ name, title }) => ({
        title,
        href: hrefOf(['sessions', session, ...(name === '' ? [] : [name])]),
        isHere: name === at,
      }),
    )}
  />
);
