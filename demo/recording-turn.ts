// The embedded model as it remembers something of a reply: lines of a script that say so, and sentences in which a user speaks of
// themselves. A function of the request alone.
//
//   /remember TEXT                  a memory
//   /remember TEXT instead of OLD   takes the place of the memory that says OLD, if the request shows one
import type { ModelRequest } from "../agent/ports.ts";
import { RECORD_MEMORIES_TOOL } from "../protocol/memory/events.ts";
import { getTextContent } from "../protocol/messages/accessors.ts";
import type { ScriptedTurn } from "../model/scripted/scripted-turn.ts";

const SAID = /^user: (".*")$/gm;
const KNOWN = /^(mem_[0-9a-z]+): (".*")$/gm;
const REMEMBER = /^\s*\/remember (.+)$/gm;
const INSTEAD = /^(.+) instead of (.+)$/;
/** The sentence of somebody about themselves, in English. */
const ABOUT_THEMSELVES =
  /(?:^|[.!?]\s+)(?:remember that )?((?:I (?:am|live|work|prefer|have|like)|my \S+(?: \S+)? is)\b[^.!?\n]*)/gi;

/** Null for a request that records nothing. */
export function recordingTurn(request: ModelRequest): ScriptedTurn | null {
  if (request.tool_choice !== RECORD_MEMORIES_TOOL) return null;
  const text = request.messages.map((message) => getTextContent(message) ?? "").join("\n");
  const known = new Map(
    [...text.matchAll(KNOWN)].map(([, id = "", content = '""']) => [read(content), id] as const),
  );
  const said = [...text.matchAll(SAID)].map(([, quoted = '""']) => read(quoted));
  const memories = said.flatMap((words) => [
    ...[...words.matchAll(REMEMBER)].map(([, line = ""]) => scripted(line, known)),
    ...[...words.replaceAll(/^\s*\/.*$/gm, "").matchAll(ABOUT_THEMSELVES)].map(
      ([, sentence = ""]) => ({
        content: `The user said: ${sentence.trim()}.`,
      }),
    ),
  ]);
  const input = JSON.stringify({ memories });
  return { parts: [{ type: "call", name: RECORD_MEMORIES_TOOL, input }] };
}

function scripted(line: string, known: ReadonlyMap<string, string>): object {
  const [, content = line, old = ""] = INSTEAD.exec(line) ?? [];
  const supersedes = known.get(old);
  return { content, ...(supersedes !== undefined && { supersedes }) };
}

function read(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
