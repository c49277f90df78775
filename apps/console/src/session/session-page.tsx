import type { SessionView } from '@app/client';
import type { ComponentChildren } from 'preact';
import { api } from '../api.js';
import { Loaded, OccupancyBar, PageHead, State } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { counted } from '../parts/text.js';
import { hrefOf, place } from '../router.js';
import { Overview } from './overview.js';

const VIEWS = [{ name: '', title: 'Occupancy', view: Overview }] as const;

/** One session, in several views; the address names the view. */
export const SessionPage = ({ session }: { readonly session: string }) => {
  const shown = useResource((signal) => api().sessions.get(session, { signal }), [session]);
  const [, , name = ''] = place.value.path;
  return (
    <Loaded of={shown} what="the session">
      {(view) => {
        const View = VIEWS.find((one) => one.name === name)?.view ?? Overview;
        return (
          <>
            <PageHead title={view.title ?? session}>
              <Facts view={view} />
            </PageHead>
            <Tabs session={session} at={name} />
            <View session={session} view={view} reload={shown.reload} />
          </>
        );
      }}
    </Loaded>
  );
};

const Facts = ({ view }: { readonly view: SessionView }): ComponentChildren => (
  <>
    A session of {view.agent ?? 'an agent'} with {counted(view.messages, 'message')} in{' '}
    {counted(view.turn, 'turn')} and {counted(view.compactions, 'compaction')}, for {view.settings.model}.{' '}
    <State state={view.budget.state} /> <OccupancyBar {...view.budget} />
    {view.status === 'closed' && <span class="label">closed</span>}
  </>
);

const Tabs = ({ session, at }: { readonly session: string; readonly at: string }) => (
  <nav class="tabs" aria-label="Views of the session">
    {VIEWS.map(({ name, title }) => (
      <a
        key={name}
        href={hrefOf(['sessions', session, ...(name === '' ? [] : [name])])}
        aria-current={name === at ? 'page' : undefined}
      >
        {title}
      </a>
    ))}
  </nav>
);
