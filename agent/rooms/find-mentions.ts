// The participants whom an agent's own text names with `@name`: never in code, in a quotation, or by the words of a result that
// nobody vouches for.
import type { TextOrDataBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { untrustedSourceOf } from "../../protocol/messages/untrusted-content.ts";

/** Characters behind which an `@` is a part of an address, of e-mail or of the web. */
const INSIDE_ADDRESS = /[A-Za-z0-9._+\-/@]$/;
const NAME_CHARACTERS = /^[\p{L}\p{M}\p{N}_-]+/u;
/** Languages that put no space between words: whatever follows a name there is not a part of it. */
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Characters behind an `@` that are looked at: the longest name, and as many behind it. */
const MAX_RUN_CHARACTERS = 130;

/** Names in the order of their first mention. @param names Of those who may be named. */
export function findMentions({ content }: Msg, names: readonly string[]): readonly string[] {
  const own = content.flatMap((block) => (block.type === "text" ? [ownWords(block.text)] : []));
  const found = namesIn(own.join("\n"), names);
  if (found.length === 0) return found;
  const foreign = content.flatMap((block) =>
    (block.type === "tool_result" || block.type === "hint") && untrustedSourceOf(block.metadata)
      ? textsOf(block.type === "hint" ? block.hint : block.output)
      : [],
  );
  const untrusted = new Set(namesIn(foreign.join("\n"), names));
  return found.filter((name) => !untrusted.has(name));
}

function textsOf(output: string | readonly TextOrDataBlock[]): readonly string[] {
  if (typeof output === "string") return [output];
  return output.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

function namesIn(text: string, names: readonly string[]): readonly string[] {
  // Of two names that begin alike the longer one is meant.
  const longestFirst = [...names].sort((one, other) => other.length - one.length);
  const found = new Set<string>();
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    if (INSIDE_ADDRESS.test(text.slice(Math.max(at - 1, 0), at))) continue;
    const run = NAME_CHARACTERS.exec(text.slice(at + 1, at + 1 + MAX_RUN_CHARACTERS))?.[0];
    const name = run === undefined ? undefined : nameOf(run, longestFirst);
    if (name !== undefined) found.add(name);
  }
  return [...found];
}

function nameOf(run: string, longestFirst: readonly string[]): string | undefined {
  const fold = (text: string): string => text.normalize("NFC").toLowerCase();
  const written = run.normalize("NFC");
  return (
    longestFirst.find((name) => begins(written, name.normalize("NFC"))) ??
    longestFirst.find((name) => begins(fold(written), fold(name)))
  );
}

function begins(run: string, name: string): boolean {
  if (!run.startsWith(name)) return false;
  const rest = run.slice(name.length);
  return /^[-_]*$/.test(rest) || UNSPACED.test(rest);
}

/** The text without fenced and inline code, and without quoted lines. */
function ownWords(text: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark !== undefined && opensFence(line, mark)) {
      fence = mark;
    } else if (!/^\s*>/.test(line)) {
      lines.push(line);
    }
  }
  return withoutInlineCode(lines.join("\n"));
}

/** A line such as "```a``` b" is inline code. */
function opensFence(line: string, mark: string): boolean {
  return mark.startsWith("~") || !line.trim().slice(mark.length).includes("`");
}

/** Code goes from a row of backticks to the next row of the same length. In one pass over the rows, from the last one. */
function withoutInlineCode(text: string): string {
  const rows = [...text.matchAll(/`+/g)].map(({ 0: row, index }) => ({
    index,
    length: row.length,
  }));
  const closing: number[] = [];
  const nextOfLength = new Map<number, number>();
  for (let row = rows.length - 1; row >= 0; row -= 1) {
    const length = rows[row]?.length ?? 0;
    closing[row] = nextOfLength.get(length) ?? -1;
    nextOfLength.set(length, row);
  }
  const kept: string[] = [];
  let from = 0;
  for (let row = 0; row < rows.length; row += 1) {
    const close = closing[row] ?? -1;
    const [opened, closed] = [rows[row], rows[close]];
    if (!opened || !closed) continue;
    kept.push(text.slice(from, opened.index));
    from = closed.index + closed.length;
    row = close;
  }
  // A mark stays in place of the code: words before and behind it do not become one.
  return [...kept, text.slice(from)].join("`");
}
