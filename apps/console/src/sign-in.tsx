import { useEffect, useState } from 'preact/hooks';
import { ended, signIn } from './api.js';
import { PageHead, Refusal } from './parts/basics.js';
import { TextField, Tick } from './parts/fields.js';
import { go, hrefOf, place } from './router.js';

/** Signs in with a pasted key, or with the code of a link. */
export const SignIn = () => {
  const [key, setKey] = useState('');
  const [remember, setRemember] = useState(true);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { path, query } = place.value;
  const code = path[0] === 'sign-in' ? path[1] : undefined;
  const enter = async (credential: { readonly key: string } | { readonly code: string }): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(credential, remember);
      if (path[0] === 'sign-in') go(placeIn(query.get('to')), { replace: true });
    } catch (reason) {
      setError(reason);
      if (code !== undefined) go(hrefOf([]), { replace: true });
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (code !== undefined) void enter({ code });
  }, [code]);
  return (
    <main class="sign-in" id="main">
      <PageHead title="Sign in">The console shows the sessions of one tenant: that of your API key.</PageHead>
      {ended.value !== undefined && (
        <p class="notice" role="status">
          {ended.value} Paste another key.
        </p>
      )}
      {error !== undefined && <Refusal error={error} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter({ key: key.trim() });
        }}
      >
        <TextField type="password" name="key" title="API key" value={key} onValue={setKey} required />
        <Tick isTicked={remember} onTick={setRemember}>
          Stay signed in for 12 hours
        </Tick>
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      <p class="muted">
        No key? <code>palimpsest serve</code> prints a link that signs in once, and writes the first key where
        it says. An admin issues others with <code>palimpsest keys add</code>.
      </p>
    </main>
  );
};

/** Leads within the console alone. */
const placeIn = (to: string | null): string => (to?.startsWith('#/') ? to : hrefOf([]));
