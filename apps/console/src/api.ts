import { type KeyHolder, PalimpsestClient } from '@app/client';
import { computed, signal } from '@preact/signals';
import { RECORDED_BASE, recordedFetch, recording } from './offline.js';

/** Base URL of the API that serves this page. */
export const base = recording
  ? RECORDED_BASE
  : new URL('../', location.href.split('#')[0]).href.replace(/\/$/, '');

/** The key that a user keeps in this page alone; `undefined` for a session cookie. */
const heldKey = signal<string | undefined>(undefined);

/** Sends the session cookie in place of a key, unless this page holds one. */
const authorized: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers);
  if (heldKey.value === undefined) headers.delete('authorization');
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401 && user.value)
    endSession('Your session has ended: its key has expired or was revoked.');
  return response;
};

const clientFor = (key: string): PalimpsestClient =>
  new PalimpsestClient({ url: base, apiKey: key, fetch: recording ? recordedFetch : authorized, retries: 1 });

const client = computed(() => clientFor(heldKey.value ?? 'cookie'));

/** The client of the signed-in user. */
export const api = (): PalimpsestClient => client.value;

/** The signed-in user; `null` before the sign-in, `undefined` until that is known. */
export const user = signal<KeyHolder | null | undefined>(undefined);
/** Why the last session ended. */
export const ended = signal<string | undefined>(undefined);

export const mayReadContent = computed(() => user.value?.permissions.includes('content:read') ?? false);
export const mayManage = computed(() => ['agent', 'operator', 'admin'].includes(user.value?.role ?? ''));
export const mayWrite = computed(() => ['agent', 'admin'].includes(user.value?.role ?? ''));
export const isAdmin = computed(() => user.value?.role === 'admin');

/** Finds out whether the browser has a session. */
export const resume = async (): Promise<void> => {
  user.value = recording ? readerOf(recording.withContent) : (await api().keys.signedIn()).signedIn;
};

/** Readers of a shared file change nothing. */
const readerOf = (withContent: boolean): KeyHolder => ({
  tenant: 'file',
  actor: 'reader',
  role: 'auditor',
  permissions: withContent ? ['content:read'] : [],
});

/** Returns a text that comes in parts. */
export const wholeText = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = '';
  for await (const part of parts) text += part;
  return text;
};

/**
 * Signs in with a key or the code of a link.
 *
 * @param remember keeps a session cookie; otherwise the key stays in the memory of this page.
 */
export const signIn = async (
  credential: { readonly key: string } | { readonly code: string },
  remember: boolean,
): Promise<void> => {
  if ('key' in credential && !remember) {
    heldKey.value = credential.key;
    try {
      user.value = await api().keys.whoami();
    } catch (error) {
      heldKey.value = undefined;
      throw error;
    }
  } else {
    user.value = await api().keys.signIn(credential);
    heldKey.value = undefined;
  }
  ended.value = undefined;
};

export const signOut = async (): Promise<void> => {
  if (heldKey.value === undefined) await api().keys.signOut();
  endSession(undefined);
};

const endSession = (reason: string | undefined): void => {
  heldKey.value = undefined;
  ended.value = reason;
  user.value = null;
};
