// A run of which the page holds a part already: the platform shows how things stand instead of beginning it anew.
import { describe, expect, it } from "vitest";

import { expectNoWarnings, JOINED, PRELUDE, REST, startAgent } from "./ag-ui-stage.ts";
import { stream } from "./stage.ts";

expectNoWarnings();

/** Messages of a page that was cut off before "Hel". */
const HELD = [
  { id: "m1", role: "user" as const, content: "Hi" },
  { id: "b1", role: "assistant" as const, content: "H" },
];

const byId = (one: { readonly id: string }, other: { readonly id: string }) =>
  one.id < other.id ? -1 : 1;

describe("a run that the page holds in part", () => {
  it("is shown as it stands, and on from there", async () => {
    const { agent, requests, events } = await startAgent([stream([...PRELUDE, ...REST].join(""))]);
    agent.addMessages(HELD);

    await agent.runAgent({ runId: "run-2" });

    expect(agent.messages.toSorted(byId)).toEqual(JOINED.toSorted(byId));
    expect(agent.state).toEqual({ cart: 1 });
    expect(events).toHaveLength(PRELUDE.length + REST.length);
    expect(requests.map(({ method }) => method)).toEqual(["POST"]);
  });

  it.each(PRELUDE.map((_, index) => index + 1))(
    "is asked for again when it was cut %i frames into that",
    async (count) => {
      const cutShort = stream(PRELUDE.slice(0, count).join(""), { isCut: true });
      const { agent, requests, events } = await startAgent([
        cutShort,
        cutShort,
        stream([...PRELUDE, ...REST].join("")),
      ]);
      agent.addMessages(HELD);

      await agent.runAgent({ runId: "run-2" });

      expect(agent.messages.toSorted(byId)).toEqual(JOINED.toSorted(byId));
      expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
      expect(requests.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
    },
  );
});
