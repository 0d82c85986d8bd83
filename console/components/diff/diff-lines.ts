interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** Lines that are added and removed until the search ends: its time and memory grow with their square. */
const MAX_EDITS = 1_000;

/**
 * Lines added and removed between two lists of lines, as few as possible (Myers' algorithm). Texts that
 * have more than a thousand lines changed are shown as one taken away and one added.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const start = countSame(before, after, (list, index) => list[index]);
  const rest = [before.slice(start), after.slice(start)] as const;
  const end = countSame(...rest, (list, index) => list[list.length - 1 - index]);
  const [left, right] = rest.map((list) => list.slice(0, list.length - end)) as [
    string[],
    string[],
  ];
  return [
    ...linesOf("same", before.slice(0, start)),
    ...diffMiddle(left, right),
    ...linesOf("same", before.slice(before.length - end)),
  ];
}

function linesOf(kind: DiffLine["kind"], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}

function countSame(
  before: readonly string[],
  after: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(before.length, after.length);
  let count = 0;
  while (count < most && at(before, count) === at(after, count)) count += 1;
  return count;
}

/** The furthest place of `before` on each diagonal, after each number of edits. */
function findTrace(before: readonly string[], after: readonly string[]) {
  const furthest = new Map<number, number>([[1, 0]]);
  const trace: ReadonlyMap<number, number>[] = [];
  const most = Math.min(MAX_EDITS, before.length + after.length);
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(furthest, diagonal, edits).x;
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x += 1;
      }
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return trace;
    }
  }
  return null;
}

/** Entry into a diagonal: by a line added, from the diagonal above, or one removed, from the one below. */
function startOf(furthest: ReadonlyMap<number, number>, diagonal: number, edits: number) {
  const below = furthest.get(diagonal - 1) ?? -1;
  const above = furthest.get(diagonal + 1) ?? -1;
  const isAdded = diagonal === -edits || (diagonal !== edits && below < above);
  return isAdded ? { x: above, from: diagonal + 1 } : { x: below + 1, from: diagonal - 1 };
}

function diffMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const trace = findTrace(before, after);
  if (!trace) return [...linesOf("removed", before), ...linesOf("added", after)];
  const lines: DiffLine[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const { from } = startOf(trace[edits] ?? new Map(), x - y, edits);
    const oldX = edits === 0 ? 0 : (trace[edits]?.get(from) ?? 0);
    const oldY = edits === 0 ? 0 : oldX - from;
    while (x > oldX && y > oldY) {
      lines.push({ kind: "same", text: before[x - 1] ?? "" });
      [x, y] = [x - 1, y - 1];
    }
    if (edits === 0) break;
    if (x === oldX) lines.push({ kind: "added", text: after[y - 1] ?? "" });
    else lines.push({ kind: "removed", text: before[x - 1] ?? "" });
    [x, y] = [oldX, oldY];
  }
  return lines.toReversed();
}
