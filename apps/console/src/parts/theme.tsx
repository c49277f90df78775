import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const THEMES = { auto: 'light dark', light: 'light', dark: 'dark' } as const;
type Theme = keyof typeof THEMES;
const NEXT: Readonly<Record<Theme, Theme>> = { auto: 'dark', dark: 'light', light: 'auto' };
const PLACE = 'palimpsest-theme';

/** Storage may be switched off, and is absent for files from disk. */
const stored = (): Theme => {
  try {
    const kept = localStorage.getItem(PLACE) ?? '';
    return kept === 'light' || kept === 'dark' ? kept : 'auto';
  } catch {
    return 'auto';
  }
};
const theme = signal<Theme>(stored());

/** Switches between the theme of the system, dark and light. */
export const ThemeButton = () => {
  useEffect(() => {
    document.documentElement.style.colorScheme = THEMES[theme.value];
  }, [theme.value]);
  const choose = (): void => {
    theme.value = NEXT[theme.value];
    try {
      localStorage.setItem(PLACE, theme.value);
    } catch {
      // It holds until the page is closed.
    }
  };
  return (
    <button type="button" class="quiet" onClick={choose}>
      Theme: {theme.value}
    </button>
  );
};
