import type { Decision } from "../../../sdk/index.ts";

type Decider = Decision["decided_by"];

export const DECIDERS: Readonly<Record<Decider["kind"], string>> = {
  platform: "the rules",
  api_key: "API key",
  client_token: "client token",
  end_user: "end user",
  callback: "callback",
  inbound_endpoint: "inbound webhook",
  member: "member",
};

/** Maker of a decision: `API key Support`, or the name of a member. @param names Names by id; an id without one is shown. */
export function deciderWords(
  { kind, id, name }: Decider,
  names: ReadonlyMap<string, string>,
): string {
  if (name !== undefined) return name;
  const known = DECIDERS[kind] ?? kind;
  return id === null ? known : `${known} ${names.get(id) ?? id}`;
}
