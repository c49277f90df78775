import type { Opened } from '../transport/open-response.js';

/** Yields the lines of an answer as they arrive. */
async function* linesOf({ response, failureOf, close }: Opened): AsyncGenerator<string, void, undefined> {
  try {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    rest += decoder.decode();
    if (rest !== '') yield rest;
  } catch (error) {
    throw failureOf(error);
  } finally {
    close();
  }
}

/** Yields JSON lines as they arrive. A truncated answer is an error, never a shorter list. */
export async function* jsonLines<Line>(opened: Opened): AsyncGenerator<Line, void, undefined> {
  for await (const line of linesOf(opened)) if (line.trim() !== '') yield JSON.parse(line);
}

/** Yields text as it arrives, in parts of any size. */
export async function* textParts({
  response,
  failureOf,
  close,
}: Opened): AsyncGenerator<string, void, undefined> {
  try {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) yield decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw failureOf(error);
  } finally {
    close();
  }
}
