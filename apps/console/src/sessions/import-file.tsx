import { useEffect, useState } from 'preact/hooks';
import { api } from '../api.js';
import { Refusal } from '../parts/basics.js';
import { counted } from '../parts/text.js';
import { go, hrefOf } from '../router.js';

type State =
  | { readonly is: 'idle' | 'dragged' }
  | { readonly is: 'busy'; readonly name: string }
  | { readonly is: 'done'; readonly sessions: number; readonly skippedLines: number }
  | { readonly is: 'failed'; readonly error: unknown };

/** Imports transcripts that are chosen, or dropped anywhere on the page, one after the other. */
export const ImportFile = ({ onDone }: { readonly onDone: () => void }) => {
  const [state, setState] = useState<State>({ is: 'idle' });
  const take = async (files: readonly File[]): Promise<void> => {
    const imported = new Set<string>();
    let skippedLines = 0;
    if (files.length === 0) return setState({ is: 'idle' });
    try {
      for (const file of files) {
        setState({ is: 'busy', name: file.name });
        const result = await api().import(() => file, { name: file.name });
        for (const { session } of result.sessions) imported.add(session);
        skippedLines += result.skippedLines;
      }
      setState({ is: 'done', sessions: imported.size, skippedLines });
      const [only, ...others] = imported;
      if (only !== undefined && others.length === 0) go(hrefOf(['sessions', only]));
      else onDone();
    } catch (error) {
      setState({ is: 'failed', error });
      if (imported.size > 0) onDone();
    }
  };
  useDrop(
    (isOver) => setState({ is: isOver ? 'dragged' : 'idle' }),
    (files) => void take(files),
  );
  return (
    <div class="import">
      <label class="button">
        <input
          type="file"
          multiple
          class="hidden-text"
          onChange={({ currentTarget }) => {
            void take([...(currentTarget.files ?? [])]);
            currentTarget.value = ''; // The same file can be chosen again.
          }}
        />
        {state.is === 'busy' ? `Importing ${state.name} …` : 'Import a transcript'}
      </label>
      {state.is === 'dragged' && <p class="drop">Drop the transcript to import it.</p>}
      {state.is === 'done' && (
        <p role="status">
          {counted(state.sessions, 'session')} imported
          {state.skippedLines > 0 && `, ${counted(state.skippedLines, 'line')} skipped`}.
        </p>
      )}
      {state.is === 'failed' && <Refusal error={state.error} />}
    </div>
  );
};

const useDrop = (onOver: (isOver: boolean) => void, onFiles: (files: readonly File[]) => void): void =>
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
      onFiles([...(event.dataTransfer?.files ?? [])]);
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
