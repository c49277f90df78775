import { sessionEventTypes } from '@app/domain';
import { expect, it } from '@jest/globals';
import { inlineCodes } from './support/markdown.js';
import { textOf } from './support/project.js';

/** Two words or more that are written together, each with a capital: nothing else in the guide looks so. */
const EVENT_TYPE = /^(?:[A-Z][a-z]+){2,}$/;

it('describes every type of event, and none that there is not', () => {
  const named = inlineCodes(textOf('docs/guides/event-log.md')).filter((code) => EVENT_TYPE.test(code));
  expect([...new Set(named)].sort()).toEqual([...sessionEventTypes()].sort());
});
