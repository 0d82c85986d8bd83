// States of abilities that cannot follow the log: a row that is damaged, and a fold that fails. The session goes on.
import { afterEach, beforeEach, expect, it } from "vitest";

import type { AbilityDefinition } from "../../../agent/ability.ts";
import { DEPLOYED_ABILITIES } from "../../../tools/deployed-abilities.ts";
import {
  createdSession,
  readReply,
  readState,
  reply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { lostReply, poison, silenceLogs, spreadNothing, wake } from "./poisoned.ts";

const DAMAGE =
  "INSERT OR REPLACE INTO ability_states (name, state, seq) VALUES ('shared_state', '{', 1)";

const FAILING: AbilityDefinition = {
  state: {
    name: "failing",
    initial: null,
    reads: ["REPLY_START", "REPLY_END"],
    advance() {
      throw new Error("this event was not thought of");
    },
  },
  open: () => ({ name: "failing" }),
};

const deployed = DEPLOYED_ABILITIES as AbilityDefinition[];
beforeEach(() => {
  silenceLogs();
  spreadNothing();
});
afterEach(() => void deployed.splice(0));

it("a damaged state costs no machine: the reply is taken up once, and the log takes messages", async () => {
  const poisoned = await lostReply();
  const { init, replyId } = poisoned;
  await poison(poisoned, DAMAGE);
  await wake(poisoned);
  const ended = await readReply(init, replyId, 60_000);
  const message = { id: "note-1", content: "hi", name: "shop", role: "user" as const };
  const observed = valueOf(await stubOf(init).act("observe", [{ ...message, metadata: {} }]));

  expect(ended).toMatchObject({ status: "error", error: { type: "internal" } });
  expect(observed.messages.map(({ id }) => id)).toEqual(["note-1"]);
});

it("a damaged state goes out as the log has it", async () => {
  const init = await createdSession();
  const patch = [{ op: "add" as const, path: "/a", value: 1 }];
  valueOf(await stubOf(init).act("patchSharedState", { patch }));
  await poison({ init, replyId: "" }, DAMAGE);
  const shared_state = { state: { a: 1 }, version: 1 };

  expect(valueOf(await readState(init)).middle_context).toMatchObject({ shared_state });
  expect(valueOf(await stubOf(init).act("readForkSource")).ability_states).toEqual([
    { ability: "shared_state", state: shared_state },
  ]);
});

it("a fold that fails leaves its event aside, and replies end as ever", async () => {
  deployed.push(FAILING);
  const init = await createdSession();

  expect((await reply(init, "/say hello")).status).toBe("completed");
});
