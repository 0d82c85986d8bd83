// A subscriber with the SDK whose session's object is lost again and again under it.
import { abortAllDurableObjects } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";

import { Reprise } from "../../../sdk/index.ts";
import { makeTenant } from "../support/api.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { BROAD } from "../../support/breadth.ts";

test(
  "a reply that is lost while the SDK reads it reads on, and folds to the stored message",
  BROAD,
  async () => {
    const gates = holdGates();
    const { api_key } = await makeTenant();
    const reprise = new Reprise({
      apiKey: api_key,
      baseUrl: "https://api.test",
      fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    });
    const agent = await reprise.agents.create({ name: "Desk" });
    const session = await reprise.sessions.create({ agent_id: agent.id });
    const reply = session.reply(`/rate 100\n/think Hm.\n/words 30\n${GATE}`);

    const seqs: number[] = [];
    let crashes = 0;
    let texts = 0;
    let recovered = 0;
    for await (const event of reply) {
      seqs.push(event.seq);
      if (event.type === "CUSTOM" && event.name === "reply_recovered") recovered += 1;
      if (event.type === "TEXT_BLOCK_DELTA") texts += 1;
      // Each time in a tail that the crash loses.
      if (texts === 5 && crashes < 2) {
        crashes += 1;
        texts = 0;
        if (crashes === 2) gates.release();
        await abortAllDurableObjects();
      }
    }

    expect({ crashes, recovered }).toEqual({ crashes: 2, recovered: 2 });
    expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    expect(reply.message()).toEqual((await session.message(reply.id ?? "")).message);
    expect((await reply.text()).split(" ")).toHaveLength(30);
  },
);
