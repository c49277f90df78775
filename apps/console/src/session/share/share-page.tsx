import { useState } from 'preact/hooks';
import { api, base, mayReadContent } from '../../api.js';
import type { Recording } from '../../offline.js';
import { Refusal } from '../../parts/basics.js';
import { Tick } from '../../parts/fields.js';
import { count } from '../../parts/text.js';
import type { ViewProps } from '../view-props.js';
import { traceOf } from './perfetto.js';
import { record } from './recording.js';

/** The session as a file: a page that opens without a network, or a trace. */
export const SharePage = ({ session }: ViewProps) => {
  const [withContent, setContent] = useState(false);
  const [state, setState] = useState<{ readonly says: string; readonly error?: unknown }>({ says: '' });
  const run = async (
    make: () => Promise<readonly [name: string, text: string, type: string]>,
  ): Promise<void> => {
    try {
      const [name, text, type] = await make();
      save(name, text, type);
      setState({ says: `Saved ${name}, ${count(Math.ceil(text.length / 1_000))} kB.` });
    } catch (error) {
      setState({ says: '', error });
    }
  };
  const html = async () => {
    const answers = await record(session, withContent, (kept) =>
      setState({ says: `${count(kept)} answers …` }),
    );
    return [`${session}.html`, await pageOf(answers), 'text/html'] as const;
  };
  const trace = async () => {
    const series = await api().sessions.occupancy(session, { bins: 2_000 });
    return [`${session}.trace.json`, traceOf(series), 'application/json'] as const;
  };
  return (
    <section aria-label="Share">
      <p class="lead">
        This session as a file for somebody without a key. Whoever has the file can read everything in it.
      </p>
      <h2>One HTML file</h2>
      <p>
        It opens in a browser without a network and shows occupancy, contexts, compactions, retention and the
        log as of now.
      </p>
      <Tick isTicked={withContent} onTick={setContent} disabled={!mayReadContent.value}>
        With content: messages, summaries, prompts and what was lost by name. Without it the file holds sizes,
        times and IDs.
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

const save = (name: string, text: string, type: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

/** Returns the console with a recording in one page. */
const pageOf = async (recording: Recording): Promise<string> => {
  const [script, style] = await Promise.all(
    ['console.js', 'console.css'].map(async (name) => (await fetch(`${base}/console/${name}`)).text()),
  );
  const data = JSON.stringify(recording).replaceAll('<', '\\u003c');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>Palimpsest</title><style>${style?.replaceAll('</style', '<\\/style')}</style></head><body><div id="console"></div>`,
    `<script id="recording" type="application/json">${data}</script>`,
    `<script type="module">${script?.replaceAll('</script', '<\\/script')}</script></body></html>`,
  ].join('\n');
};
