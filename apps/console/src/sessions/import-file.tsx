import type { ImportResult } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../api.js';
import { Refusal } from '../parts/basics.js';
import { counted } from '../parts/text.js';
import { go, hrefOf } from '../router.js';

type State =
  | { readonly is: 'idle' | 'dragged' }
  | { readonly is: 'busy'; readonly name: string }
  | { readonly is: 'done'; readonly result: ImportResult }
  | { readonly is: 'failed'; readonly error: unknown };

/** Imports a transcript that is chosen, or dropped anywhere on the page. */
export const ImportFile = ({ onDone }: { readonly onDone: () => void }) => {
  const [state, setState] = useState<State>({ is: 'idle' });
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return setState({ is: 'idle' });
    setState({ is: 'busy', name: file.name });
    try {
      const result = await api().import(() => file, { name: file.name });
      setState({ is: 'done', result });
      const [only, ...others] = result.sessions;
      if (only && others.length === 0) go(hrefOf(['sessions', only.session]));
      else onDone();
    } catch (error) {
      setState({ is: 'failed', error });
    }
  };
  useDrop(
    (isOver) => setState({ is: isOver ? 'dragged' : 'idle' }),
    (file) => void take(file),
  );
  return (
    <div class="import">
      <label class="button">
        <input
          type="file"
          class="hidden-text"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0] ?? undefined)}
        />
        {state.is === 'busy' ? `Importing ${state.name} …` : 'Import a transcript'}
      </label>
      {state.is === 'dragged' && <p class="drop">Drop the transcript to import it.</p>}
      {state.is === 'done' && (
        <p role="status">
          {counted(state.result.sessions.length, 'session')} imported
          {state.result.skippedLines > 0 && `, ${counted(state.result.skippedLines, 'line')} skipped`}.
        </p>
      )}
      {state.is === 'failed' && <Refusal error={state.error} />}
    </div>
  );
};

const useDrop = (onOver: (isOver: boolean) => void, onFile: (file: File | undefined) => void): void =>
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      onOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) onOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      onFile(event.dataTransfer?.files[0]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
