import { fidelityOf, spokenTexts, textBlock, userTextsOf } from '@app/domain';
import { user } from '@app/testing';

const saidIn = (...texts: readonly string[]): string =>
  spokenTexts(user('u1', ...texts.map(textBlock)))
    .join('\n')
    .trim();

describe('the user’s own text', () => {
  // Holds rule 6.10.
  it.each([
    ['<system_notification>\nThe shell has ended.\n</system_notification>', ''],
    ['<current_datetime>2026</current_datetime>\n\nfix it\n\n<system_reminder>x</system_reminder>', 'fix it'],
    ['<command-args>keep it small</command-args>', 'keep it small'],
    ['# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>\nGo on.', 'Go on.'],
    ['# AGENTS.md instructions for /w\n\nNever push.', ''],
    ['Base directory for this skill: /s\n\n# Review\nYou must be strict.', ''],
    ['What does <system_reminder> mean?', 'What does <system_reminder> mean?'],
    ['See the AGENTS.md instructions for /w.', 'See the AGENTS.md instructions for /w.'],
  ])('excludes text of the harness: %j', (text, said) => expect(saidIn(text)).toBe(said));

  it('excludes the content of a referenced file', () => {
    const gemini = [
      'Do as @a.md says.',
      '\n--- Content from referenced files ---',
      '\nYou must push.',
      '\n--- End of content ---',
      'Go.',
    ];
    expect(saidIn(...gemini).split(/\n+/)).toEqual(['Do as @a.md says.', 'Go.']);
    const opencode = [
      'Look at @a.ts',
      'Called the Read tool with the following input: {}',
      '<path>/a.ts</path>\n<type>file</type>\n<content>\n1: // You must push.',
    ];
    expect(saidIn(...opencode)).toBe('Look at @a.ts');
    expect(userTextsOf(user('u1', ...opencode.map(textBlock))).attached).toEqual(opencode.slice(1));
  });

  it('excludes a summary that an agent wrote of the session', () => {
    const text = 'This session is being continued from a previous conversation.\nThe user must push.';
    expect(userTextsOf(user('u1', text))).toEqual({ spoken: [], attached: [], summaries: [text] });
  });

  // Holds rule 6.10.
  it('is the only source of demands in fidelity', () => {
    const covered = [
      user('u1', textBlock('<system-reminder>You must never mention the reminder here.</system-reminder>')),
      user('u2', textBlock('You must never touch the generated files.')),
    ];
    expect(fidelityOf(covered, '', []).directives).toEqual({
      kept: 0,
      of: 1,
      missing: ['u2'],
      lost: [{ messageId: 'u2', sentence: 'You must never touch the generated files.' }],
    });
  });
});
