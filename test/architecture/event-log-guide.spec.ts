import { sessionEventTypes } from '@app/domain';
import { expect, it } from '@jest/globals';
import { inlineCodes } from './support/markdown.js';
import { textOf } from './support/project.js';

/** Two or more capitalized words without a space, the form of event types in the guide. */
const EVENT_TYPE = /^(?:[A-Z][a-z]+){2,}$/;

it('describes exactly the existing event types', () => {
  const named = inlineCodes(textOf('docs/guides/event-log.md')).filter((code) => EVENT_TYPE.test(code));
  expect([...new Set(named)].sort()).toEqual([...sessionEventTypes()].sort());
});
