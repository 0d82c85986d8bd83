// Decides which rows of the log become which when deltas are condensed. Pure.
//
// Deltas become one event where they follow each other: one block, consecutive seqs, no event between them. A cursor is one
// number, so an event that stood for text on both sides of another one could not be told apart from its halves, and a reader
// between the two would get text twice or not at all. So a block whose deltas others interrupt, as those of tools that run
// side by side do, has several events.
import { MAX_JOINED_BYTES } from "../../../protocol/events/limits.ts";
import { joinBytes } from "../../bytes/join-bytes.ts";
import {
  isCondensed,
  lastSeqOf,
  writeCondensed,
  type DeltaRun,
  type Section,
} from "./condensed-row.ts";
import { endOf, readItems, type RowItem } from "./row-items.ts";

export interface LogRow {
  /** The seq of its last event, which is its key. */
  readonly seq: number;
  /** Null for a row that stays as it is: one that readers read in pieces. */
  readonly bytes: Uint8Array | null;
}

/** The rows above `after` and up to `seq` become one, whose key is `seq`. */
interface RowChange {
  readonly after: number;
  readonly seq: number;
  readonly bytes: Uint8Array;
}

export interface RowChanges {
  readonly changes: readonly RowChange[];
  /** The position before the next step's first row; null when nothing follows. */
  readonly next: number | null;
}

/**
 * @param after The position before the first row. @param hasMore Rows follow that may continue the last ones: these are
 * left to the next step, unless they are all there is. Every step either moves on or leaves fewer rows.
 */
export function chooseRowChanges(
  rows: readonly LogRow[],
  after: number,
  hasMore: boolean,
): RowChanges {
  const groups = groupsOf(rows, after);
  const last = groups.at(-1);
  if (!hasMore || !last) return { changes: groups.flatMap(changeOf), next: null };
  if (groups.length > 1) {
    return { changes: groups.slice(0, -1).flatMap(changeOf), next: last.after };
  }
  const changes = changeOf(last);
  return { changes, next: changes.length > 0 ? after : last.seq };
}

const encoder = new TextEncoder();

/** Rows that continue with the block with which the one before ends. */
interface Group {
  readonly after: number;
  seq: number;
  rows: number;
  bytes: number;
  /** Null for a row that stays as it is. */
  readonly items: RowItem[] | null;
  readonly isCondensed: boolean;
}

function groupsOf(rows: readonly LogRow[], after: number): readonly Group[] {
  const groups: Group[] = [];
  let position = after;
  for (const { seq, bytes } of rows) {
    const items = bytes && readItems(bytes, seq);
    const size = (items ?? []).reduce((sum, item) => sum + sizeOf(item), 0);
    const group = groups.at(-1);
    if (
      group?.items &&
      items &&
      goesOn(group.items, items) &&
      group.bytes + size <= MAX_JOINED_BYTES
    ) {
      group.items.push(...items);
      group.seq = seq;
      group.rows += 1;
      group.bytes += size;
    } else {
      groups.push({
        after: position,
        seq,
        rows: 1,
        bytes: size,
        items: items && [...items],
        isCondensed: bytes !== null && isCondensed(bytes),
      });
    }
    position = seq;
  }
  return groups;
}

function goesOn(before: readonly RowItem[], after: readonly RowItem[]): boolean {
  const [last, first] = [before.at(-1), after[0]];
  return last !== undefined && first !== undefined && areOne(last, first);
}

function areOne(before: RowItem, { seq, run }: RowItem): boolean {
  return (
    before.run !== null &&
    run !== null &&
    endOf(before) + 1 === seq &&
    before.run.type === run.type &&
    before.run.replyId === run.replyId &&
    before.run.idName === run.idName &&
    before.run.id === run.id
  );
}

function sizeOf({ frame, run }: RowItem): number {
  return run ? run.text.byteLength : (frame?.length ?? 0);
}

/** The change of a group's rows; none for rows that stay as they are. */
function changeOf({ items, rows, after, seq, isCondensed: isDone }: Group): readonly RowChange[] {
  if (!items || (isDone && rows === 1)) return [];
  const sections = sectionsOf(items);
  const hasRun = sections.some(({ run }) => run !== null);
  return hasRun ? [{ after, seq, bytes: writeCondensed(sections) }] : [];
}

function sectionsOf(items: readonly RowItem[]): readonly Section[] {
  const sections: Section[] = [];
  let frames = "";
  for (let index = 0; index < items.length;) {
    const end = endOfRun(items, index);
    const run = joined(items.slice(index, end));
    if (run) sections.push({ frames: encoder.encode(frames), run });
    const { frame } = items[index] as RowItem;
    frames = run ? "" : frames + (frame ?? "");
    index = end;
  }
  if (frames !== "") sections.push({ frames: encoder.encode(frames), run: null });
  return sections;
}

/** The index behind the last item that is one with `items[index]`. */
function endOfRun(items: readonly RowItem[], index: number): number {
  let end = index + 1;
  while (end < items.length && areOne(items[end - 1] as RowItem, items[end] as RowItem)) end += 1;
  return end;
}

/** Null for a single frame. */
function joined(items: readonly RowItem[]): DeltaRun | null {
  const runs = items.flatMap(({ run }) => run ?? []);
  const [first] = runs;
  if (!first || lastSeqOf(runs.at(-1) ?? first) === first.seq) return null;
  return {
    ...first,
    lengths: runs.flatMap(({ lengths }) => lengths),
    text: joinBytes(runs.map(({ text }) => text)),
  };
}
