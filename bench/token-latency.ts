// How long a token is under way: from the moment the model's server writes it to the moment the client has read
// it, by the one clock of the process in which both run.

/**
 * Reads a stream of any format in which each token stands as it was sent, alone or merged with its neighbours.
 * @param sentAtMs When token n left, by `performance.now()`; filled while this reads.
 * @returns Milliseconds for each token, in the tokens' order.
 * @throws when a token is missing.
 */
export async function readLatencies(
  response: Response,
  sentAtMs: readonly number[],
  tokens: number,
): Promise<readonly number[]> {
  if (!response.ok || !response.body) {
    throw new Error(`no stream: ${response.status} ${await response.text()}`);
  }
  const latenciesMs: number[] = [];
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const atMs = performance.now();
    const seen = rest + text;
    for (const [, number] of seen.matchAll(/ t(\d{5})/g)) {
      latenciesMs[Number(number)] ??= atMs - (sentAtMs[Number(number)] ?? Number.NaN);
    }
    // A token may be cut by the network; the part is shorter than one token, so none is seen twice.
    rest = seen.slice(-6);
  }
  const measured = latenciesMs.filter((ms) => ms >= 0).length;
  if (measured !== tokens) throw new Error(`${measured} of ${tokens} tokens arrived`);
  return latenciesMs;
}
