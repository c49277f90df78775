/** Waits for the first piece, so that an early failure becomes a problem response instead of a truncated answer. */
export const started = async (pieces: AsyncIterable<string>): Promise<AsyncGenerator<string>> => {
  const lines = pieces[Symbol.asyncIterator]();
  const first = await lines.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await lines.next()) yield next.value;
    } finally {
      // Also when the client disconnects before it has read anything.
      await lines.return?.();
    }
  })();
};
