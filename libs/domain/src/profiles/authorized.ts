import { core } from './core.js';
import type { Profile } from './profile.js';

/** Never without the user's word: it warns at four fifths of the window, and lets no request out beyond 95 % of it. */
export const authorized: Profile = {
  ...core,
  name: 'authorized',
  description: 'Compacts only when asked to; warns at 80 % of the window and requires it at 95 %.',
  mode: 'authorized',
};
