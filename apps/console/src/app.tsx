import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { resume, signOut, user } from './api.js';
import { AuditPage } from './audit/audit-page.js';
import { LivePage } from './live/live-page.js';
import { isDamaged, recording } from './offline.js';
import { OperationsPage } from './operations/operations-page.js';
import { Empty, Loading, PageHead, Refusal } from './parts/basics.js';
import { KeyList } from './parts/key-list.js';
import { useKeys } from './parts/keys.js';
import { Tabs } from './parts/tabs.js';
import { timeText } from './parts/text.js';
import { ThemeButton } from './parts/theme.js';
import { go, hrefOf, place } from './router.js';
import { FileBanner } from './session/proof/file-banner.js';
import { verifyFile } from './session/proof/verified-file.js';
import { SessionPage } from './session/session-page.js';
import { SessionsPage } from './sessions/sessions-page.js';
import { SignIn } from './sign-in.js';

export const App = () => {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (isDamaged) return;
    resume().catch(setError);
    verifyFile().catch(setError);
  }, []);
  if (isDamaged)
    return (
      <main id="main">
        <PageHead title="Invalid file">This file was changed or cut, and cannot be read.</PageHead>
        <p class="notice notice-error" role="alert">
          <strong>✕ Invalid: do not rely on this file.</strong> Ask for a new export of the session.
        </p>
      </main>
    );
  if (error !== undefined)
    return (
      <main id="main">
        <Refusal error={error} retry={() => location.reload()} />
      </main>
    );
  if (user.value === undefined) return <Loading what="the console" />;
  if (user.value === null || place.value.path[0] === 'sign-in') return <SignIn />;
  return (
    <>
      <Header />
      <main id="main">
        <FileBanner />
        <Page />
      </main>
    </>
  );
};

const PAGES = [
  { name: 'sessions', title: 'Sessions', key: 's' },
  { name: 'live', title: 'Live', key: 'l' },
  { name: 'audit', title: 'Audit', key: 'a' },
  { name: 'operations', title: 'Operations', key: 'o' },
] as const;

const Header = () => {
  const [at = 'sessions'] = place.value.path;
  const [isListed, setListed] = useState(false);
  useKeys({
    '?': { what: 'list the keys', run: () => setListed(true) },
    '/': {
      what: 'search',
      run: () => document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus(),
    },
    ...Object.fromEntries(
      PAGES.map(({ name, title, key }) => [
        `g ${key}`,
        { what: `go to ${title}`, run: () => go(hrefOf([name])) },
      ]),
    ),
  });
  return (
    <header class="top">
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <a class="brand" href={hrefOf([])}>
        {!recording && <img src="icon.svg" alt="" width="16" height="16" />} Palimpsest
      </a>
      <Tabs
        label="Pages"
        tabs={(recording ? [] : PAGES).map(({ name, title }) => ({
          title,
          href: hrefOf([name]),
          isHere: at === name,
        }))}
      />
      <span class="who">
        <span class="muted" title={user.value?.actor}>
          {recording
            ? `A file of ${timeText(recording.recordedAt)}`
            : `${user.value?.tenant} · ${user.value?.role}`}
        </span>
        <button type="button" class="quiet" onClick={() => setListed(true)}>
          Keys <kbd>?</kbd>
        </button>
        <ThemeButton />
        {!recording && (
          <button type="button" class="quiet" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </span>
      {isListed && <KeyList onClose={() => setListed(false)} />}
    </header>
  );
};

/** Moves the keyboard behind the header. */
const skip = (): void => {
  const main = document.querySelector<HTMLElement>('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus();
};

/** The page of the present place; a page that fails leaves the others usable. */
const Page = () => {
  const [error, retry] = useErrorBoundary();
  const at = place.value;
  useEffect(retry, [at]);
  return error === undefined ? <PageOfPlace /> : <Refusal error={error} retry={retry} />;
};

const PageOfPlace = () => {
  const first = user.value?.role === 'privacy' ? 'audit' : 'sessions';
  const [page = first, session] = place.value.path;
  if (recording) return <SessionPage session={recording.session} />;
  if (page === 'live') return <LivePage />;
  if (page === 'audit') return <AuditPage />;
  if (page === 'operations') return <OperationsPage />;
  if (page === 'sessions')
    return session === undefined ? <SessionsPage /> : <SessionPage key={session} session={session} />;
  return (
    <>
      <PageHead title="Not found">This address leads to no page of the console.</PageHead>
      <Empty title="Nothing is here.">
        <a href={hrefOf([])}>All sessions</a>
      </Empty>
    </>
  );
};
