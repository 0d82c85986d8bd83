/**
 * A body that is made while the client reads it. @param first The first part, made before the answer starts, so that a
 * failure of the database is a problem response, not a truncated file.
 */
export function streamText(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Promise<IteratorResult<string, void>> | null = Promise.resolve(first);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await (next ?? rest.next());
        next = null;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      cancel: () => void rest.return(),
    },
    { highWaterMark: 0 },
  );
}
