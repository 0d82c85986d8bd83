/** The largest size to which all may be cut so that together they fit; infinite when they do as they are. */
export function evenShare(sizes: readonly number[], room: number): number {
  let left = room;
  let count = sizes.length;
  for (const size of [...sizes].sort((one, other) => one - other)) {
    const share = Math.floor(left / count);
    if (size > share) return share;
    left -= size;
    count -= 1;
  }
  return Infinity;
}
