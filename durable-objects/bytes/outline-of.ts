import { MAX_OUTLINE_MEMBER_CHARACTERS } from "../../protocol/requests/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { omitContent } from "../../protocol/messages/omitted.ts";
import { scanMembers } from "./scan-members.ts";

/**
 * The outline of a message that is too large to be parsed: its small members, without content.
 * @param pieces Its JSON.
 * @param bytes Its size.
 */
export function outlineOf(pieces: Iterable<Uint8Array>, bytes: number): Msg {
  const members = scanMembers(decoded(pieces), MAX_OUTLINE_MEMBER_CHARACTERS);
  const read = <Name extends keyof Msg>(name: Name, missing: Msg[Name]): Msg[Name] => {
    const text = members.get(name);
    return text === undefined ? missing : (JSON.parse(text) as Msg[Name]);
  };
  const outline: Msg = {
    name: read("name", ""),
    content: [],
    role: read("role", "assistant"),
    id: read("id", ""),
    metadata: read("metadata", {}),
    created_at: read("created_at", ""),
    usage: read("usage", null),
    finished_at: read("finished_at", null),
    finished_reason: read("finished_reason", null),
    structured_output: null,
    error: read("error", null),
  };
  return omitContent(outline, bytes);
}

function* decoded(pieces: Iterable<Uint8Array>): Generator<string, void> {
  const decoder = new TextDecoder();
  for (const piece of pieces) yield decoder.decode(piece, { stream: true });
}
