// The share of sent bytes that had been sent at the same place before.

/** The bytes of each body that are a prefix of the next one, summed, over all bytes; from 0 to 1. */
export function shareOfPrefixes(bodies: readonly Uint8Array[]): number {
  const sent = bodies.reduce((sum, { length }) => sum + length, 0);
  const repeated = bodies
    .slice(1)
    .reduce((sum, body, index) => sum + commonBytes(bodies[index] ?? new Uint8Array(), body), 0);
  return sent === 0 ? 0 : repeated / sent;
}

function commonBytes(first: Uint8Array, second: Uint8Array): number {
  const most = Math.min(first.length, second.length);
  let common = 0;
  while (common < most && first[common] === second[common]) common += 1;
  return common;
}
