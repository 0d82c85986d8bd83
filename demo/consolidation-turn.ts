// The embedded model as it settles memories of a store: those that say the same but for case and punctuation, and what lines of
// a script in the instructions say. A function of the request alone.
//
//   /merge ONE | OTHER | … => TEXT   takes the memories that say these texts into the first, which says TEXT then
//   /merge ONE | OTHER | …           the same, and the first one stays as it is
//   /answer JSON                     the answer itself
import type { ModelRequest } from "../agent/ports.ts";
import { CONSOLIDATE_MEMORIES_TOOL } from "../protocol/memory/events.ts";
import { getTextContent } from "../protocol/messages/accessors.ts";
import type { ScriptedTurn } from "../model/scripted/scripted-turn.ts";

const MEMORY = /^(mem_[0-9a-z]+) \(([^)]*)\): (".*")$/gm;
const MERGE = /\/merge (.+)$/gm;
const ANSWER = /\/answer (.+)$/m;

interface Shown {
  readonly id: string;
  readonly content: string;
  readonly isMovable: boolean;
}

/** Null for a request that consolidates nothing. */
export function consolidationTurn(request: ModelRequest): ScriptedTurn | null {
  if (request.tool_choice !== CONSOLIDATE_MEMORIES_TOOL) return null;
  const text = request.messages.map((message) => getTextContent(message) ?? "").join("\n");
  const shown = [...text.matchAll(MEMORY)].map(([, id = "", marks = "", content = '""']): Shown => {
    return { id, content: JSON.parse(content) as string, isMovable: !/fixed|placed/.test(marks) };
  });
  const [, answer] = ANSWER.exec(text) ?? [];
  const lines = [...text.matchAll(MERGE)].map(([, line = ""]) => line);
  const changes = [...lines.flatMap((line) => scripted(line, shown)), ...duplicates(shown)];
  const input = answer ?? JSON.stringify({ changes });
  return { parts: [{ type: "call", name: CONSOLIDATE_MEMORIES_TOOL, input }] };
}

function scripted(line: string, shown: readonly Shown[]): readonly object[] {
  const [texts = "", content] = line.split(" => ");
  const ids = texts.split(" | ").map((one) => shown.find((memory) => memory.content === one)?.id);
  const [keep, ...replaces] = ids;
  if (keep === undefined || replaces.includes(undefined) || replaces.length === 0) return [];
  return [{ keep, replaces, ...(content !== undefined && { content }) }];
}

function duplicates(shown: readonly Shown[]): readonly object[] {
  const said = new Map<string, Shown[]>();
  for (const one of shown) {
    const key = one.content
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    said.set(key, [...(said.get(key) ?? []), one]);
  }
  return [...said.values()].flatMap((group) => {
    const keep = group.find(({ isMovable }) => !isMovable) ?? group[0];
    const replaces = group.filter((one) => one !== keep && one.isMovable).map(({ id }) => id);
    return keep && replaces.length > 0 ? [{ keep: keep.id, replaces }] : [];
  });
}
