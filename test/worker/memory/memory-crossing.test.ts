/** @module-tag broad */
// Two tenants, each with two agents, each with two end users, who all say the same words: by each way in which memories are read,
// everybody has their own.
import { expect, test } from "vitest";

import type { FoundMemories, Memory } from "../../../protocol/memory/contract.ts";
import { ask, makeAgent, makeTenant, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import {
  anotherSession,
  hintsOf,
  memoriesOf,
  record,
  recordingsOf,
  remembers,
  resultsOf,
  retrieve,
  say,
  type Remembering,
} from "./remembering.ts";

const USERS = ["ann", "bob"] as const;

interface Person {
  readonly session: Remembering;
  /** Words that are remembered of this one alone. */
  readonly secret: string;
}

/** The words are the same but for the last one, by which everybody is told apart. */
async function openPeople(): Promise<readonly Person[]> {
  const people: Person[] = [];
  for (let tenant = 1; tenant <= 2; tenant += 1) {
    const { id: tenant_id, call } = await makeTenant();
    for (let agent = 1; agent <= 2; agent += 1) {
      const { id: agent_id } = await makeAgent(call, remembers("both"));
      for (const end_user_id of USERS) {
        const owner = { tenant_id, agent_id, end_user_id };
        const session = await anotherSession({ call, agent_id, owner }, { end_user_id });
        const secret = `The secret word of the user is ${end_user_id}x${tenant}x${agent}.`;
        people.push({ session, secret });
      }
    }
  }
  return people;
}

/** Of all people, those whose secret is in the text. */
function secretsIn(people: readonly Person[], text: string): readonly string[] {
  return people.flatMap(({ secret }) => (text.includes(secret.slice(0, -1)) ? [secret] : []));
}

const searched = async (path: string, call: Call) =>
  (await ask<FoundMemories>("GET", `${path}/memories?search=secret+word`, call)).text;

/** Each way to read memories, as text. */
const WAYS: Readonly<Record<string, (session: Remembering) => Promise<string>>> = {
  async "what an input recalls"(session) {
    const reply = await say(session, "What is my secret word?\n/say Well.");
    return hintsOf(reply, "long_term_memory").join("\n");
  },
  "the tool": async (session) => resultsOf(await say(session, retrieve("secret"))).join("\n"),
  "a key's search in the session": ({ path, call }) => searched(path, call),
  "a client token's search": async ({ path, call }) =>
    searched(path, await mintCall(path, call, { verbs: ["memory"] })),
  "a client token's list": async ({ path, call }) =>
    (await ask("GET", `${path}/memories`, await mintCall(path, call, { verbs: ["memory"] }))).text,
};

test("nothing that one has said is recalled, found, listed or changed for another one", async () => {
  const people = await openPeople();
  await Promise.all(people.map(({ session, secret }) => say(session, record(secret))));
  // Recorded behind the reply too: the same, which is a duplicate in their own store alone.
  await Promise.all(people.map(({ session }) => recordingsOf(session, 2)));

  for (const [way, read] of Object.entries(WAYS)) {
    const seen = await Promise.all(
      people.map(async ({ session, secret }) => {
        const later = await anotherSession(session, { end_user_id: session.owner.end_user_id });
        return [secret, secretsIn(people, await read(later))];
      }),
    );
    expect([way, seen]).toEqual([way, people.map(({ secret }) => [secret, [secret]])]);
  }

  const all = await Promise.all(people.map(({ session }) => memoriesOf(session)));
  expect(all.map((memories) => memories.map(({ content }) => content))).toEqual(
    people.map(({ secret }) => [secret]),
  );
  // Everybody asks for everybody else's memory, in their own session and with their own token.
  const tried = await Promise.all(
    people.flatMap(({ session: { path, call } }, own) =>
      all.flatMap(([memory], other) => (own === other ? [] : [tryToChange(path, call, memory!)])),
    ),
  );
  expect(new Set(tried.flat())).toEqual(new Set([404]));
  expect(await Promise.all(people.map(({ session }) => memoriesOf(session)))).toEqual(all);
});

async function tryToChange(path: string, call: Call, { id }: Memory): Promise<readonly number[]> {
  const token = await mintCall(path, call, { verbs: ["memory"] });
  const at = `${path}/memories/${id}`;
  return [
    (await ask("PATCH", at, { ...token, json: { content: "Mine." } })).status,
    (await ask("DELETE", at, token)).status,
  ];
}
