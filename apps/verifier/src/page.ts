import { type Report, verifyBundle, witnessText } from '@app/proof';
import { type Policy, parsePolicy, TlogError } from '@app/tlog';

const elementOf = <Type extends HTMLElement>(id: string, type: new () => Type): Type => {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`);
  return found;
};
const file = elementOf('file', HTMLInputElement);
const policy = elementOf('policy', HTMLTextAreaElement);
const result = elementOf('result', HTMLElement);

/** Texts come from files: they are never markup. */
const add = (parent: HTMLElement, name: string, text: string): HTMLElement => {
  const child = document.createElement(name);
  child.textContent = text;
  parent.append(child);
  return child;
};

const show = (report: Report): void => {
  result.replaceChildren();
  result.dataset.outcome = report.outcome;
  add(result, 'h2', report.outcome);
  const { manifest } = report;
  if (manifest)
    add(
      result,
      'p',
      `Session ${manifest.session} of tenant ${manifest.tenant}: ${manifest.events.count} events, content ${manifest.content}. ` +
        `Log ${manifest.origin}, ${manifest.size} leaves.`,
    );
  const list = add(result, 'ul', '');
  for (const { step, status, detail } of report.steps) add(list, 'li', `${step}: ${status}. ${detail}`);
  for (const { detail } of manifest ? [] : report.faults) add(list, 'li', detail);
  if (report.trust === 'file')
    add(
      result,
      'p',
      'The key of the log was taken from the file itself: give a policy with the logs that you trust.',
    );
  if (!manifest) return;
  add(result, 'p', `Witnesses: ${witnessText(report)}.`);
  add(result, 'p', 'Not proven:');
  const rest = add(result, 'ul', '');
  for (const line of manifest.notProven) add(rest, 'li', line);
};

/** `undefined` without a policy. @throws {TlogError}. */
const trusted = (): Policy | undefined =>
  policy.value.trim() === '' ? undefined : parsePolicy(policy.value);

const verify = async (): Promise<void> => {
  const [chosen] = file.files ?? [];
  if (!chosen) return;
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  try {
    const given = trusted();
    show(await verifyBundle(bytes, given ? { policy: given } : {}));
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    result.replaceChildren();
    result.dataset.outcome = 'no-policy';
    add(result, 'h2', 'The policy cannot be read');
    add(result, 'p', error.message);
  }
};

file.addEventListener('change', () => void verify());
policy.addEventListener('change', () => void verify());
