import { useState } from 'preact/hooks';
import { api, mayReadContent, wholeText } from '../../api.js';
import { Refusal } from '../../parts/basics.js';
import { Tick } from '../../parts/fields.js';
import { saveAs } from '../../parts/save-as.js';
import { count } from '../../parts/text.js';
import type { ViewProps } from '../view-props.js';
import { traceOf } from './perfetto.js';

/** The session as a file: a page that opens without a network, or a trace. */
export const SharePage = ({ session }: ViewProps) => {
  const [withContent, setContent] = useState(false);
  const [state, setState] = useState<{ readonly says: string; readonly error?: unknown }>({ says: '' });
  const run = async (
    make: () => Promise<readonly [name: string, text: string, type: string]>,
  ): Promise<void> => {
    try {
      const [name, text, type] = await make();
      saveAs(name, text, type);
      setState({ says: `Saved ${name}, ${count(Math.ceil(text.length / 1_000))} kB.` });
    } catch (error) {
      setState({ says: '', error });
    }
  };
  const html = async () => {
    setState({ says: 'The service writes the file …' });
    const page = await wholeText(api().sessions.html(session, { content: withContent ? 'clear' : 'none' }));
    return [`${session}.html`, page, 'text/html'] as const;
  };
  const trace = async () => {
    const series = await api().sessions.occupancy(session, { bins: 2_000 });
    return [`${session}.trace.json`, traceOf(series), 'application/json'] as const;
  };
  return (
    <section aria-label="Share">
      <p class="lead">
        This session as a file that readers open without a key. Every reader of the file sees everything in
        it.
      </p>
      <h2>One HTML file</h2>
      <p>
        It shows the session as of now without a network, and verifies itself: it holds the proof bundle, and
        the log’s signature of what it shows.
      </p>
      <Tick isTicked={withContent} onTick={setContent} disabled={!mayReadContent.value}>
        With content: messages, summaries, prompts and the names of lost facts. Without it the file holds
        sizes, times, IDs, and the title, project and labels of the session.
      </Tick>
      <p class="actions">
        <button type="button" class="primary" onClick={() => void run(html)}>
          Save as HTML
        </button>
      </p>
      <h2>A trace</h2>
      <p>
        Occupancy as counters and compactions as slices, without content, for <code>ui.perfetto.dev</code> or
        another viewer of the Trace Event Format.
      </p>
      <p class="actions">
        <button type="button" onClick={() => void run(trace)}>
          Save as a trace
        </button>
      </p>
      <p role="status">{state.says}</p>
      {state.error !== undefined && <Refusal error={state.error} />}
    </section>
  );
};
